"""What really arrives at launches when host code runs on CPU tensors, against what the analysis says."""
