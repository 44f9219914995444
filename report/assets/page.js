"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = function (id) { return document.getElementById(id); };
  const all = function (query) { return Array.from(document.querySelectorAll(query)); };
  const say = function (text) { byId("said").textContent = text; };

  // Light and dark: what the system says, until the reader says otherwise.
  const root = document.documentElement;
  byId("theme").addEventListener("click", function () {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // Tables as files, and texts to the clipboard.
  const save = function (name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name + ".csv";
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  };
  const copy = async function (text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch (e) { // not allowed for files from a disk in some browsers
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  all("[data-csv]").forEach(function (b) {
    b.addEventListener("click", function () { save(b.dataset.csv, data.csv[b.dataset.csv] || ""); say("saved as " + b.dataset.csv + ".csv"); });
  });
  all("[data-copy]").forEach(function (b) {
    b.addEventListener("click", async function () {
      await copy(data.copy[b.dataset.copy] || "");
      const was = b.textContent;
      b.textContent = "copied";
      say("copied");
      setTimeout(function () { b.textContent = was; }, 1500);
    });
  });

  // What is said of the point under the pointer.
  const tip = byId("tip");
  const nearest = function (svg, x, y) {
    let best = null, least = 18 * 18;
    svg.querySelectorAll("circle[data-tip]").forEach(function (c) {
      const r = c.getBoundingClientRect();
      const dx = r.x + r.width / 2 - x, dy = r.y + r.height / 2 - y;
      if (dx * dx + dy * dy < least) { least = dx * dx + dy * dy; best = c; }
    });
    return best;
  };
  document.addEventListener("pointermove", function (e) {
    const svg = e.target.closest ? e.target.closest("svg.chart") : null;
    const at = svg && (e.target.dataset.tip ? e.target : nearest(svg, e.clientX, e.clientY));
    tip.hidden = !at;
    if (!at) return;
    tip.textContent = at.dataset.tip;
    const w = tip.offsetWidth;
    const left = Math.min(e.clientX + 14, innerWidth - w - 8), top = Math.max(e.clientY - 34, 4);
    tip.animate([{ left: left + "px", top: top + "px" }], { fill: "forwards", duration: 0 });
  });

  // The list of variables: order, filter, open.
  const list = byId("list");
  if (list) {
    const rows = all(".variable"), lines = all("#overview tr"), table = byId("overview");
    const order = {
      strength: function (a, b) { return b.dataset.strength - a.dataset.strength; },
      share: function (a, b) { return b.dataset.share - a.dataset.share; },
      name: function (a, b) { return a.dataset.name.localeCompare(b.dataset.name, undefined, { numeric: true }); }
    };
    all("[data-sort]").forEach(function (b) {
      b.addEventListener("click", function () {
        rows.slice().sort(order[b.dataset.sort]).forEach(function (r) { list.append(r); });
        lines.slice().sort(order[b.dataset.sort]).forEach(function (r) { table.append(r); });
        all("[data-sort]").forEach(function (o) { o.setAttribute("aria-pressed", String(o === b)); });
        say("sorted: " + b.textContent);
      });
    });
    byId("filter").addEventListener("input", function (e) {
      const want = e.target.value.toLowerCase();
      let n = 0;
      rows.forEach(function (r) { r.hidden = !r.dataset.name.toLowerCase().includes(want); });
      lines.forEach(function (r) { r.hidden = !r.dataset.name.toLowerCase().includes(want); n += r.hidden ? 0 : 1; });
      say(n + " variables");
    });
    byId("open-all").addEventListener("click", function (e) {
      const open = e.target.getAttribute("aria-pressed") !== "true";
      rows.forEach(function (r) { r.open = open; });
      e.target.setAttribute("aria-pressed", String(open));
      e.target.textContent = open ? "close all" : "open all";
    });
  }
  // The list of runs: order and filter.
  const entries = byId("entries");
  if (entries) {
    const runs = all("#entries tr");
    const by = {
      path: function (a, b) { return a.dataset.path.localeCompare(b.dataset.path, undefined, { numeric: true }); },
      started: function (a, b) { return b.dataset.started.localeCompare(a.dataset.started); },
      score: function (a, b) { return b.dataset.score - a.dataset.score; },
      seconds: function (a, b) { return b.dataset.seconds - a.dataset.seconds; }
    };
    all("[data-order]").forEach(function (b) {
      b.addEventListener("click", function () {
        runs.slice().sort(by[b.dataset.order]).forEach(function (r) { entries.append(r); });
        all("[data-order]").forEach(function (o) { o.setAttribute("aria-pressed", String(o === b)); });
        say("sorted: " + b.textContent);
      });
    });
    byId("find").addEventListener("input", function (e) {
      const want = e.target.value.toLowerCase();
      let n = 0;
      runs.forEach(function (r) { r.hidden = !r.textContent.toLowerCase().includes(want); n += r.hidden ? 0 : 1; });
      say(n + " runs");
    });
  }
  let closed = [];
  addEventListener("beforeprint", function () {
    closed = all("details:not([open])");
    if (closed.length < 300) closed.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () { closed.forEach(function (d) { d.open = false; }); });

  // The threshold between two classes.
  const t = data.threshold;
  if (t) {
    const slider = byId("threshold");
    slider.max = t.at.length - 1;
    const mark = function (chart, x, y) {
      all('svg[data-chart="' + chart + '"]').forEach(function (svg) {
        const box = svg.dataset.box.split(" ").map(Number);
        let dot = svg.querySelector(".mark");
        if (!dot) {
          dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
          dot.setAttribute("class", "mark");
          dot.setAttribute("r", "6");
          svg.append(dot);
        }
        dot.setAttribute("cx", box[0] + x * (box[2] - box[0]));
        dot.setAttribute("cy", box[3] - y * (box[3] - box[1]));
      });
    };
    const share = function (a, b) { return a + b > 0 ? a / (a + b) : 0; };
    const percent = function (v) { return (100 * v).toFixed(1) + "%"; };
    // A number with three digits as a person writes it.
    const number = function (v) {
      const a = Math.abs(v);
      return a > 0 && (a < 1e-6 || a >= 1e15) ? v.toPrecision(3) : v.toLocaleString("en", { maximumSignificantDigits: 3 });
    };
    const show = function () {
      const i = Number(slider.value), c = t.counts[i];
      byId("threshold-at").textContent = number(t.at[i]);
      slider.setAttribute("aria-valuetext", number(t.at[i]));
      ["tp", "fp", "fn", "tn"].forEach(function (name, j) { byId(name).textContent = c[j]; });
      const recall = share(c[0], c[2]), precision = share(c[0], c[1]), fpr = share(c[1], c[3]);
      const n = c[0] + c[1] + c[2] + c[3];
      byId("threshold-says").textContent = "Precision " + percent(precision) + ", recall " + percent(recall) + ", specificity " + percent(1 - fpr) +
        ", error " + percent((c[1] + c[2]) / n) + ", F1 " + (2 * c[0] / Math.max(1, 2 * c[0] + c[1] + c[2])).toFixed(3) + ".";
      mark("roc", fpr, recall);
      mark("pr", recall, c[0] + c[1] > 0 ? precision : 1);
    };
    slider.addEventListener("input", show);
    show();
  }
})();
