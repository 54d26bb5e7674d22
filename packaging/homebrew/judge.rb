# A formula for a tap: `brew install OWNER/TAP/judge`, on Linux. `make dist` fills in version and checksums.
class Judge < Formula
  desc "Local judge for competitive programmers, and Sudoku engines"
  homepage "https://github.com/@repository@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]
  depends_on :linux

  on_intel do
    url "https://github.com/@repository@/releases/download/v@version@/judge-@version@-x86_64-linux.tar.gz"
    sha256 "@sha256_x86_64@"
  end
  on_arm do
    url "https://github.com/@repository@/releases/download/v@version@/judge-@version@-aarch64-linux.tar.gz"
    sha256 "@sha256_aarch64@"
  end

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/judge"
    zsh_completion.install "share/zsh/site-functions/_judge"
    fish_completion.install "share/fish/vendor_completions.d/judge.fish"
    doc.install Dir["share/doc/judge/*"]
  end

  test do
    (testpath/"test/1.in").write "1 2\n"
    (testpath/"test/1.out").write "3\n"
    (testpath/"sol.sh").write "read a b; echo $((a + b))\n"
    assert_match "all accepted", shell_output("#{bin}/judge run sol.sh --sandbox none --language bash")
  end
end
