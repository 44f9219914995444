# Formula of Homebrew; scripts/release fills in version, address and checksums.
class Fsa < Formula
  desc "Select the variables of a table that matter, and learn a model on them"
  homepage "@URL@"
  version "@VERSION@"

  on_macos do
    on_arm do
      url "@URL@/fsa-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256:fsa-darwin-arm64.tar.gz@"
    end
    on_intel do
      url "@URL@/fsa-@VERSION@-darwin-amd64.tar.gz"
      sha256 "@SHA256:fsa-darwin-amd64.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "@URL@/fsa-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256:fsa-linux-arm64.tar.gz@"
    end
    on_intel do
      url "@URL@/fsa-@VERSION@-linux-amd64.tar.gz"
      sha256 "@SHA256:fsa-linux-amd64.tar.gz@"
    end
  end

  def install
    bin.install "fsa"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/fsa.bash" => "fsa"
    zsh_completion.install "completions/_fsa"
    fish_completion.install "completions/fsa.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/fsa version")
    system bin/"fsa", "demo"
  end
end
