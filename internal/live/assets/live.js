"use strict";
(function () {
  const byId = function (id) { return document.getElementById(id); };
  const most = 400; // points of a curve; beyond that every other one goes
  let history = [], stride = 1, lastLine = 0;

  // Pictures are as wide as letters stay legible: narrower on a phone.
  const wide = innerWidth < 600 ? 340 : 640, right = wide - 10;
  document.querySelectorAll("svg").forEach(function (svg) {
    svg.setAttribute("viewBox", "0 0 " + wide + " " + svg.viewBox.baseVal.height);
    svg.querySelectorAll(".axis").forEach(function (a) { a.setAttribute("d", "M74 10V190H" + right); });
    svg.querySelectorAll(".last").forEach(function (a) { a.setAttribute("x", right); });
    svg.querySelectorAll(".unit").forEach(function (a) { a.setAttribute("x", (74 + right) / 2); });
  });

  const number = function (v) {
    const a = Math.abs(v);
    if (a >= 1000 && a < 1e15) return Math.round(v).toLocaleString("en");
    return a === 0 || a >= 1e-6 && a < 1e15 ? v.toLocaleString("en", { maximumSignificantDigits: 4 }) : v.toPrecision(3);
  };
  const between = function (least, most) { // as between in fit_stages.go
    if (least < 0) return "–";
    const unit = most >= 7200 ? "h" : most >= 90 ? "min" : "s", size = { h: 3600, min: 60, s: 1 }[unit];
    const round = function (s) {
      const v = s / size;
      return v >= 10 ? 5 * Math.round(v / 5) : unit === "h" ? Number(v.toPrecision(2)) : Math.round(v);
    };
    const low = round(least), high = round(most);
    return (low === high ? "" : low + "–") + high + " " + unit;
  };
  const bytes = function (b) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let i = 0;
    while (b >= 1024 && i < 4) { b /= 1024; i++; }
    return (b < 10 && i > 0 ? b.toFixed(1) : Math.round(b)) + " " + units[i];
  };

  const remember = function (p) {
    const last = history[history.length - 1];
    if (p.epoch === 0 || (last && p.epoch - last.epoch < stride)) return;
    history.push(p);
    if (history.length > most) {
      stride *= 2;
      history = history.filter(function (_, i) { return i % 2 === 0; });
    }
  };

  const curve = function (id, key, log) {
    const svg = byId(id);
    if (history.length === 0) return;
    let low = Infinity, high = -Infinity;
    history.forEach(function (p) { low = Math.min(low, p[key]); high = Math.max(high, p[key]); });
    const scale = log && low > 0 ? Math.log : function (v) { return v; };
    const a = scale(low), span = scale(high) - a || 1;
    const first = history[0].epoch, width = history[history.length - 1].epoch - first || 1;
    let d = "";
    history.forEach(function (p, i) {
      d += (i ? "L" : "M") + (74 + (right - 74) * (p.epoch - first) / width).toFixed(1) + " " + (190 - 176 * (scale(p[key]) - a) / span).toFixed(1);
    });
    svg.querySelector(".line").setAttribute("d", d);
    svg.querySelector(".top").textContent = number(high);
    svg.querySelector(".bottom").textContent = number(low);
    svg.querySelector(".last").textContent = "epoch " + history[history.length - 1].epoch;
  };

  // The curve of error against size: a dot where all folds are done, a ring where some are.
  const sizes = function (c) {
    const svg = byId("sizes"), list = c.points || [];
    byId("sizes-box").hidden = list.length === 0;
    if (list.length === 0) return;
    let low = Infinity, high = -Infinity, best = null;
    list.forEach(function (p) {
      low = Math.min(low, p.mean - p.se);
      high = Math.max(high, p.mean + p.se);
      if (p.folds === p.of && (!best || (c.larger ? p.mean > best.mean : p.mean < best.mean))) best = p;
    });
    const last = list[list.length - 1].size, first = list[0].size;
    const scale = last > 30 ? Math.log1p : function (v) { return v; };
    const width = scale(last) - scale(first) || 1, span = high - low;
    const x = function (p) { return (80 + (right - 86) * (scale(p.size) - scale(first)) / width).toFixed(1); };
    const y = function (v) { return (span > 0 ? 186 - 170 * (v - low) / span : 100).toFixed(1); };
    let line = "", band = "", dots = "", rings = "";
    list.forEach(function (p, i) {
      line += (i ? "L" : "M") + x(p) + " " + y(p.mean);
      band += "M" + x(p) + " " + y(p.mean - p.se) + "V" + y(p.mean + p.se);
      const dot = "M" + x(p) + " " + y(p.mean) + "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
      if (p.folds === p.of) dots += dot; else rings += dot;
    });
    svg.querySelector(".line").setAttribute("d", line);
    svg.querySelector(".band").setAttribute("d", band);
    svg.querySelector(".dots").setAttribute("d", dots);
    svg.querySelector(".rings").setAttribute("d", rings);
    svg.querySelector(".top").textContent = number(high);
    svg.querySelector(".bottom").textContent = span > 0 ? number(low) : "";
    svg.querySelector(".first").textContent = number(first);
    svg.querySelector(".last").textContent = list.length > 1 ? number(last) : "";
    let note = c.measure + ", mean of the folds ± 1 standard error: dots have all " + list[0].of + " folds, rings some.";
    if (best) note += " Best so far: " + number(best.mean) + " ± " + number(best.se) + " with " + number(best.size) + (best.size === 1 ? " variable." : " variables.");
    byId("sizes-note").textContent = note;
  };

  // A fixed number of bars, made once: names are texts, and nothing is added later.
  const bars = [];
  const make = function (name) { return document.createElementNS("http://www.w3.org/2000/svg", name); };
  for (let i = 0; i < 12; i++) {
    const bar = make("path"), text = make("text");
    text.setAttribute("x", "160");
    text.setAttribute("y", String(24 * i + 18));
    text.setAttribute("text-anchor", "end");
    text.setAttribute("class", "name");
    byId("bars").append(bar, text);
    bars.push({ bar: bar, text: text });
  }
  const strongest = function (list) {
    let high = 0;
    list.forEach(function (s) { high = Math.max(high, Math.abs(s.value)); });
    bars.forEach(function (b, i) {
      const s = list[i];
      b.text.textContent = s ? (s.name.length > 20 ? s.name.slice(0, 10) + "…" + s.name.slice(-9) : s.name) : "";
      const w = s && high > 0 ? (right - 170) * Math.abs(s.value) / high : 0;
      b.bar.setAttribute("class", s && s.value < 0 ? "down" : "up");
      b.bar.setAttribute("d", "M170 " + (24 * i + 6) + "h" + w.toFixed(1) + "v15h-" + w.toFixed(1) + "z");
    });
  };

  const log = function (list) {
    (list || []).forEach(function (l) {
      if (l.number <= lastLine) return;
      lastLine = l.number;
      const item = document.createElement("p");
      item.textContent = l.text;
      byId("log").append(item);
      byId("said").hidden = false;
      while (byId("log").children.length > 100) byId("log").firstElementChild.remove();
    });
  };

  let waiting = null, drawn = false, folded = null;
  const draw = function () {
    drawn = false;
    const now = waiting;
    byId("stage").textContent = now.stopping && !now.ended ? "Stopping after this epoch …" : now.stage;
    byId("done").value = now.done;
    ["alive", "losses", "bars"].forEach(function (id) { byId(id).parentElement.hidden = history.length === 0; });
    byId("variables").textContent = now.epoch ? number(now.variables) : "–";
    byId("loss").textContent = now.epoch ? number(now.loss) : "–";
    byId("epoch").textContent = now.epoch ? number(now.epoch) + " / " + number(now.epochs) : "–";
    byId("left").textContent = between(now.left, now.left_most);
    byId("memory").textContent = now.memory ? bytes(now.memory) : "–";
    byId("rate-box").hidden = !(now.read_rate > 0);
    byId("rate").textContent = bytes(now.read_rate) + "/s";
    ["variables", "loss", "epoch", "left", "memory"].forEach(function (id) { byId(id).parentElement.hidden = byId(id).textContent === "–"; });
    curve("alive", "variables", true);
    curve("losses", "loss", false);
    strongest(now.strongest || []);
    if (folded) { sizes(folded); folded = null; }
  };

  const source = new EventSource("events");
  source.onmessage = function (e) {
    const m = JSON.parse(e.data);
    if (m.history) history = m.history;
    if (m.curve) folded = m.curve;
    remember({ epoch: m.now.epoch, variables: m.now.variables, loss: m.now.loss });
    log(m.log);
    waiting = m.now;
    if (!drawn) { drawn = true; requestAnimationFrame(draw); }
    if (m.now.ended) {
      source.close();
      if (m.now.has_report) location.replace("report");
      else { byId("stage").textContent = "Done."; if (byId("stop")) byId("stop").disabled = true; }
    }
  };
  source.onerror = function () { byId("stage").textContent = "The program does not answer any more."; };

  const stop = byId("stop");
  if (stop) stop.addEventListener("click", function () {
    stop.disabled = true;
    fetch("stop", { method: "POST" }).then(function (r) { if (!r.ok) stop.disabled = false; });
  });
})();
