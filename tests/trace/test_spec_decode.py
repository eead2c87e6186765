"""The journey of the fixture's faulty buffer: branches, a dataclass, tuple returns, methods, modules."""

from __future__ import annotations

from collections import Counter

import pytest

from dtypecheck.core.traces import Traced, Way

from .asking import FIXTURES, callers, steps, texts, traced, when

EAGLE = FIXTURES / "spec_decode" / "eagle.py"
LAUNCH = "_prepare_eagle_inputs_kernel["


@pytest.fixture(scope="module")
def argument() -> Traced:
    """The launch's argument `num_rejected`."""
    return traced(EAGLE, "num_rejected,", after=LAUNCH, root=FIXTURES)


def faulty(value: Traced) -> Way:
    (way,) = [w for w in value.ways if w.said.dtypes == ("int64",)]
    return way


def test_every_sampler_gives_a_way_of_its_own(argument: Traced) -> None:
    assert argument.name == "num_rejected"
    assert Counter(texts(argument)) == {"int32": 3, "int64": 1}
    births = {way.steps[0].place.path.rpartition("/")[2] for way in argument.ways}
    assert births == {
        "sampler.py",
        "strict_rejection_sampler.py",
        "probabilistic_rejection_sampler.py",
        "synthetic_rejection_sampler.py",
    }
    assert not argument.cut


def test_the_chain_is_complete_and_in_order(argument: Traced) -> None:
    told = [line.split(" -> ")[0].split("(")[0].rstrip() for line in steps(faulty(argument), FIXTURES)]
    assert told == [
        "born probabilistic_rejection_sampler:303 draft_sampled.new_empty",
        "flows probabilistic_rejection_sampler:308 sampled.new_empty",
        "returned rejection_sampler:86 probabilistic_rejection_sample",
        "stored rejection_sampler:126 num_sampled",
        "returned model_runner:91 self.rejection_sampler",
        "passed model_runner:93 output.num_sampled",
        "flows input_batch:180 torch.empty_like",
        "returned model_runner:92 get_num_sampled_and_rejected",
        "returned model_runner:104 self.sample",
        "passed model_runner:113 num_rejected",
        "passed eagle:279 num_rejected",
        "here eagle:100 num_rejected",
    ]
    assert {step.dtype for step in faulty(argument).steps} == {"int64"}
    notes = [step.note for step in faulty(argument).steps]
    assert notes == [
        "",
        "inherited",
        "by probabilistic_rejection_sample",
        "SamplerOutput.num_sampled",
        "by RejectionSampler.__call__",
        "`num_sampled` of get_num_sampled_and_rejected",
        "inherited",
        "by get_num_sampled_and_rejected",
        "by ModelRunner.sample",
        "`num_rejected` of EagleSpeculator.propose",
        "`num_rejected` of prepare_eagle_inputs",
        "",
    ]


def test_the_tests_on_the_way_are_told_with_their_outcomes(argument: Traced) -> None:
    default = "`config.rejection_method` of ModelRunner.__init__"
    assert when(faulty(argument)) == [
        f'not (input_batch.num_draft_tokens == 0) and self.method == "probabilistic" and {default} is given'
    ]
    (strict,) = [w for w in argument.ways if "/strict" in w.steps[0].place.path]
    assert when(strict) == [
        f"not (input_batch.num_draft_tokens == 0) and {default} is left at its default",
        'not (input_batch.num_draft_tokens == 0) and not (self.method == "probabilistic") '
        f'and self.method == "strict" and {default} is given',
    ]


def test_the_callers_that_lead_there_are_told(argument: Traced) -> None:
    for way in argument.ways:
        assert callers(way) == ["ModelRunner.step:109 > EagleSpeculator.propose:274"]


def test_a_line_within_a_call_means_what_stands_there_alone(argument: Traced) -> None:
    named = traced(EAGLE, "num_rejected,", "num_rejected", LAUNCH, FIXTURES)
    assert (named.ways, named.place) == (argument.ways, argument.place)


def test_in_the_kernel_the_variable_is_told_for_what_the_launch_gives() -> None:
    value = traced(EAGLE, "query_len -= num_rejected", root=FIXTURES)
    assert texts(value) == ["int32, a scalar", "int64, a scalar"]
    assert steps(value.ways[1], FIXTURES) == [
        "launched eagle:100 num_rejected -> int64 (`num_rejected_ptr` of _prepare_eagle_inputs_kernel)",
        "kernel eagle:39 tl.load(num_rejected_ptr + req) (int64, loaded from `num_rejected_ptr`)",
        "kernel eagle:40 query_len -= num_rejected (int32 - int64 -> int64)",
    ]
    assert callers(value.ways[1]) == ["prepare_eagle_inputs:88"]
