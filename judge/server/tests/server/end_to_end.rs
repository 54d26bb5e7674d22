//! From the browser through queue, workers and sandbox to the verdict.

use super::common::{Data, sum};

#[test]
fn a_submission_gets_its_verdict() {
    let data = Data::new(&[sum("sum")]);
    let server = data.serve();
    let admin = server.admin();
    let source = "print(sum(map(int, input().split())))\n";
    let id = admin.submit("sum", "main.py", source);
    let judging = server.judged(id);
    assert_eq!(judging.verdict.as_deref(), Some("AC"), "{judging:?}");
    assert!(admin.page(&format!("/submissions/{id}")).contains("AC"));
    assert!(server.stop().success());
}
