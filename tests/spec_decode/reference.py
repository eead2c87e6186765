"""Plain torch and Python references, on the CPU, for every number that the package computes.

The random numbers are reproduced bit for bit (Philox 4x32, ten rounds), so that sampled tokens and
acceptances can be compared exactly. Log-probabilities are computed here in float64: a decision could differ
from the kernels' only where the two sides agree to seven digits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

_MASK = 0xFFFFFFFF
TARGET, DRAFT, ACCEPT = 0, 1, 2


# Random numbers


def _mul_hi_lo(a: int, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """High and low words of the products of 32-bit numbers held in int64."""
    product = a * b
    return (product >> 32) & _MASK, product & _MASK


def philox(seed: int, offsets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Four 32-bit words (in int64) per offset; `offsets` are int64 below 2^32, `seed` has up to 64 bits."""
    c0, c1, c2, c3 = (
        offsets & _MASK,
        torch.zeros_like(offsets),
        torch.zeros_like(offsets),
        torch.zeros_like(offsets),
    )
    k0, k1 = seed & _MASK, (seed >> 32) & _MASK
    for _ in range(10):
        hi0, lo0 = _mul_hi_lo(0xD2511F53, c0)
        hi2, lo2 = _mul_hi_lo(0xCD9E8D57, c2)
        c0, c1, c2, c3 = hi2 ^ c1 ^ k0, lo2, hi0 ^ c3 ^ k1, lo0
        k0, k1 = (k0 + 0x9E3779B9) & _MASK, (k1 + 0xBB67AE85) & _MASK
    return c0, c1, c2, c3


def stream_seed(seed: int, pos: int, stream: int) -> int:
    """Seed of one of the three streams of (seed, position)."""
    return int(philox(seed, torch.tensor([pos]))[stream])


def uniform(seed: int, offsets: torch.Tensor) -> torch.Tensor:
    """Uniform float64, strictly between 0 and 1, per offset."""
    low, high, _, _ = philox(seed, offsets)
    # The top 52 of 64 bits: all of `high`, and the upper 20 of `low`.
    return (((high << 20) | (low >> 12)).to(torch.float64) + 0.5) * 2.0**-52


def first_argmax(values: torch.Tensor) -> int:
    """The lowest index of the maximum."""
    return int((values == values.max()).nonzero()[0])


def draw(logits: torch.Tensor, temperature: float, seed: int, pos: int, stream: int) -> int:
    """The token drawn from processed `logits` [V]; temperature 0 means the argmax."""
    scores = logits.to(torch.float64)
    if temperature != 0.0:
        noise_seed = stream_seed(seed, pos, stream)
        scores = scores - torch.log(-torch.log(uniform(noise_seed, torch.arange(len(logits)))))
    return first_argmax(scores)


def apply_temperature(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Float32 logits after temperature; 0 leaves them as they are."""
    logits = logits.to(torch.float32)
    return logits if temperature == 0.0 else logits / temperature


# Verification of one request: the tokens that count


def strict(target_tokens: Sequence[int], drafts: Sequence[int]) -> list[int]:
    """`target_tokens` has one more entry than `drafts`."""
    for step, draft in enumerate(drafts):
        if draft != target_tokens[step]:
            return list(target_tokens[: step + 1])
    return list(target_tokens)


def synthetic(target_tokens: Sequence[int], drafts: Sequence[int], accepted: Sequence[bool]) -> list[int]:
    """As `strict`, with the decisions given."""
    for step, keep in enumerate(accepted):
        if not keep:
            return [*drafts[:step], target_tokens[step]]
    return [*drafts, target_tokens[len(drafts)]]


def synthetic_decisions(
    num_drafts: int, seed: int, positions: Sequence[int], rates: torch.Tensor
) -> list[bool]:
    """Whether each draft is kept; `rates` is float32 [steps]."""
    decisions = []
    for step in range(num_drafts):
        u = uniform(stream_seed(seed, positions[step], ACCEPT), torch.tensor([positions[step]]))
        decisions.append(bool(u < rates[step].to(torch.float64)))
    return decisions


def probabilistic(
    target_logits: torch.Tensor,
    draft_logits: torch.Tensor,
    drafts: Sequence[int],
    positions: Sequence[int],
    temperature: float,
    seed: int,
) -> list[int]:
    """target_logits [drafts + 1, V] and draft_logits [at least drafts, V], both after temperature."""
    if temperature == 0.0:
        return strict([first_argmax(row) for row in target_logits.to(torch.float32)], drafts)
    log_p = target_logits.to(torch.float64).log_softmax(dim=-1)
    log_q = draft_logits.to(torch.float64).log_softmax(dim=-1)
    for step, draft in enumerate(drafts):
        u = uniform(stream_seed(seed, positions[step], ACCEPT), torch.tensor([positions[step]]))
        if not bool(log_p[step, draft] > torch.log(u) + log_q[step, draft]):
            residual = (log_p[step].exp() - log_q[step].exp()).clamp(min=0.0).log()
            return [*drafts[:step], draw(residual, temperature, seed, positions[step], TARGET)]
    last = len(drafts)
    return [*drafts, draw(target_logits[last], temperature, seed, positions[last], TARGET)]


# The exact distribution of speculative sampling, and its test


def outcome_distribution(p: torch.Tensor, q: torch.Tensor) -> dict[tuple[int, ...], float]:
    """Probability of every (drafts kept, tokens...) of one request with k drafts; p [k + 1, V], q [k, V].

    The drafts are drawn independently from q. Token x at step i is kept with probability mass min(p, q)(x),
    and follows a rejection with probability mass max(p - q, 0)(x). So its total mass is p(x): the output
    follows p.
    """
    outcomes: dict[tuple[int, ...], float] = {}
    prefixes: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    for step in range(len(q)):
        kept = torch.minimum(p[step], q[step]).tolist()
        replaced = (p[step] - q[step]).clamp(min=0.0).tolist()
        longer = []
        for tokens, mass in prefixes:
            for token in range(p.shape[1]):
                outcomes[(step, *tokens, token)] = mass * replaced[token]
                longer.append(((*tokens, token), mass * kept[token]))
        prefixes = longer
    for tokens, mass in prefixes:
        for token, chance in enumerate(p[len(q)].tolist()):
            outcomes[(len(q), *tokens, token)] = mass * chance
    return outcomes


def chi_square(observed: Sequence[float], expected: Sequence[float]) -> tuple[float, int]:
    """Pearson's statistic, the sum of (O - E)^2 / E, and its degrees of freedom.

    Cells that expect fewer than 5 are put together; an observation where 0 is expected makes the statistic
    infinite.
    """
    cells: list[tuple[float, float]] = []
    rest_observed = rest_expected = 0.0
    for o, e in zip(observed, expected, strict=True):
        if e >= 5.0:
            cells.append((o, e))
        elif e == 0.0 and o > 0.0:
            return math.inf, 1
        else:
            rest_observed += o
            rest_expected += e
    if rest_expected >= 5.0:
        cells.append((rest_observed, rest_expected))
    elif cells:
        o, e = cells.pop()
        cells.append((o + rest_observed, e + rest_expected))
    return sum((o - e) ** 2 / e for o, e in cells), max(len(cells) - 1, 1)


def chi_square_threshold(degrees: int, z: float = 3.719) -> float:
    """The value exceeded with the chance that a normal variable exceeds `z` (3.719: one in ten thousand).

    The approximation of Wilson and Hilferty, good to a percent for three degrees of freedom and more.
    """
    spread = 2.0 / (9.0 * degrees)
    return degrees * (1.0 - spread + z * math.sqrt(spread)) ** 3


# The Eagle kernels


@dataclass
class EagleInputs:
    """The speculator's inputs after preparation; places in token buffers that are not set are left out."""

    input_ids: dict[int, int] = field(default_factory=dict)
    positions: dict[int, int] = field(default_factory=dict)
    query_start_loc: list[int] = field(default_factory=list)
    seq_lens: list[int] = field(default_factory=list)
    last_token_indices: list[int] = field(default_factory=list)


def prepare_eagle_inputs(
    input_ids: Sequence[int],
    positions: Sequence[int],
    slots: Sequence[int],
    last_sampled: Sequence[int],
    next_prefill_tokens: Sequence[int],
    num_sampled: Sequence[int],
    num_rejected: Sequence[int],
    query_start_loc: Sequence[int],
    seq_lens: Sequence[int],
    max_num_reqs: int,
) -> EagleInputs:
    """Inputs of the first draft step."""
    out = EagleInputs()
    for r, slot in enumerate(slots):
        start, end = query_start_loc[r], query_start_loc[r + 1] - num_rejected[r]
        for index in range(start, end):
            out.positions[index] = positions[index]
            if index + 1 < end:
                out.input_ids[index] = input_ids[index + 1]
        out.input_ids[end - 1] = last_sampled[slot] if num_sampled[r] > 0 else next_prefill_tokens[slot]
        out.last_token_indices.append(end - 1)
    padding = max_num_reqs - len(slots)
    out.query_start_loc = [*query_start_loc, *[query_start_loc[-1]] * padding]
    out.seq_lens = [*seq_lens, *[0] * padding]
    out.last_token_indices += [0] * padding
    return out
