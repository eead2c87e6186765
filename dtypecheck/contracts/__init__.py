"""Rules files: declared dtypes of kernel parameters, function results and fields."""
