"""Graph → encode → loop → decode. Nothing here imports the compiler: a saved model runs alone."""
