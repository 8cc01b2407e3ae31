//! Criterion benchmarks of X-COLLIDE, one file per layer; run them with `cargo bench -p xcollide-benches`.
