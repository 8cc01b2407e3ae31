//! Runs the example.

#[path = "../../examples/own_algorithm.rs"]
mod own_algorithm;

#[test]
fn an_algorithm_of_ones_own_is_compared() -> Result<(), Box<dyn std::error::Error>> {
    own_algorithm::main()
}
