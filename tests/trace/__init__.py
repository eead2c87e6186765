"""Tests of `dtypecheck trace`: what is told, in which order, and what is said to wrong questions."""
