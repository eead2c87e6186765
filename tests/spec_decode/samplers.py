"""Checks of the single samplers and of the Eagle kernels on made-up batches."""

import random
from dataclasses import dataclass
from typing import Any

import reference
import torch


@dataclass
class Batch:
    """A verification batch with 0 to k drafts per request, on the CPU."""

    num_steps: int
    slots: list[int]
    drafts: list[list[int]]
    positions: list[list[int]]  # of each request's logits
    temperature: torch.Tensor  # float32, by slot
    seeds: torch.Tensor  # int64, by slot
    target_logits: list[torch.Tensor]  # [drafts + 1, V] per request, after temperature
    draft_logits: torch.Tensor  # [slots, steps, V], after temperature

    def on(self, device: torch.device) -> dict[str, Any]:
        """The arguments of the samplers, by name."""
        counts = [len(drafts) + 1 for drafts in self.drafts]
        starts = torch.tensor([0, *counts]).cumsum(0)
        draft_sampled = [token for drafts in self.drafts for token in (0, *drafts)]
        expanded_slots = [slot for slot, count in zip(self.slots, counts, strict=True) for _ in range(count)]
        local_pos = [local for count in counts for local in range(count)]
        positions = [position for row in self.positions for position in row]

        def int32(values: Any) -> torch.Tensor:
            return torch.as_tensor(values).to(torch.int32).to(device)

        return {
            "target_logits": torch.cat(self.target_logits).to(device),
            "draft_logits": self.draft_logits.to(device),
            "draft_sampled": int32(draft_sampled),
            "cu_num_logits": int32(starts),
            "pos": torch.tensor(positions, dtype=torch.int64, device=device),
            "idx_mapping": int32(self.slots),
            "expanded_idx_mapping": int32(expanded_slots),
            "expanded_local_pos": int32(local_pos),
            "temperature": self.temperature.to(device),
            "seed": self.seeds.to(device),
            "num_speculative_steps": self.num_steps,
        }


def make_batch(seed: int, num_reqs: int, vocab_size: int, dtype: torch.dtype, num_steps: int = 3) -> Batch:
    """Drafts are drawn from the draft logits, or are the target's argmax when greedy; a few are arbitrary."""
    rng = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)
    num_slots = num_reqs + 2
    slots = rng.sample(range(num_slots), num_reqs)
    temperature = torch.tensor([rng.choice([0.0, 0.6, 1.5]) for _ in range(num_slots)], dtype=torch.float32)
    seeds = torch.tensor([rng.getrandbits(62) for _ in range(num_slots)], dtype=torch.int64)
    draft_logits = torch.randn(num_slots, num_steps, vocab_size, generator=generator).to(dtype)
    drafts, positions, target_logits = [], [], []
    for r, slot in enumerate(slots):
        count = r % (num_steps + 1)
        noise = 0.5 * torch.randn(num_steps + 1, vocab_size, generator=generator)
        base = torch.cat([draft_logits[slot].to(torch.float32), torch.zeros(1, vocab_size)])
        logits = (base + noise)[: count + 1].to(dtype)
        start = rng.randrange(1000)
        tokens = []
        for step in range(count):
            if rng.random() < 0.1:
                tokens.append(rng.randrange(vocab_size))
            elif temperature[slot] == 0.0:
                tokens.append(reference.first_argmax(logits[step].to(torch.float32)))
            else:
                row = draft_logits[slot, step].to(torch.float32)
                tokens.append(reference.draw(row, 1.0, int(seeds[slot]), start + step, reference.DRAFT))
        drafts.append(tokens)
        positions.append(list(range(start, start + count + 1)))
        target_logits.append(logits)
    return Batch(num_steps, slots, drafts, positions, temperature, seeds, target_logits, draft_logits)


def _rows(sampled: torch.Tensor, num_sampled: torch.Tensor) -> list[list[int]]:
    """The tokens that count, per request."""
    return [row[:count] for row, count in zip(sampled.tolist(), num_sampled.tolist(), strict=True)]


def check_samplers(
    package: Any, device: torch.device, seed: int, num_reqs: int, vocab_size: int, dtype: torch.dtype
) -> str:
    """The Gumbel sampler and the three verification methods, token by token."""
    batch = make_batch(seed, num_reqs, vocab_size, dtype)
    arguments = batch.on(device)
    target_sampled = package.gumbel.gumbel_sample(
        arguments["target_logits"],
        arguments["expanded_idx_mapping"],
        arguments["temperature"],
        arguments["seed"],
        arguments["pos"],
        apply_temperature=False,
    )
    per_request = list(target_sampled.cpu().split([len(drafts) + 1 for drafts in batch.drafts]))
    rates = torch.tensor([0.8, 0.6, 0.4], dtype=torch.float32)
    strict, probabilistic, synthetic = [], [], []
    for r, slot in enumerate(batch.slots):
        temperature, own_seed = float(batch.temperature[slot]), int(batch.seeds[slot])
        drawn, drafts, positions = per_request[r].tolist(), batch.drafts[r], batch.positions[r]
        for row, position, token in zip(batch.target_logits[r], positions, drawn, strict=True):
            expected = reference.draw(row, temperature, own_seed, position, reference.TARGET)
            # Equal maxima in different blocks: which one torch's argmax takes is not defined.
            tied = temperature == 0.0 and row[token] == row[expected]
            assert token == expected or tied, f"drawn {token}, reference {expected}"
        strict.append(reference.strict(drawn, drafts))
        decisions = reference.synthetic_decisions(len(drafts), own_seed, positions, rates)
        synthetic.append(reference.synthetic(drawn, drafts, decisions))
        probabilistic.append(
            reference.probabilistic(
                batch.target_logits[r], batch.draft_logits[slot], drafts, positions, temperature, own_seed
            )
        )

    shared = (target_sampled, arguments["draft_sampled"], arguments["cu_num_logits"])
    got = _rows(*package.strict_rejection_sampler.strict_rejection_sample(*shared, batch.num_steps))
    assert got == strict, f"strict: {got}, reference {strict}"
    for fixed, decision in ((0.0, False), (1.0, True)):
        got = _rows(*_synthetic(package, shared, arguments, torch.full((3,), fixed), device))
        expected = [
            reference.synthetic(drawn.tolist(), drafts, [decision] * len(drafts))
            for drawn, drafts in zip(per_request, batch.drafts, strict=True)
        ]
        assert got == expected, f"synthetic, rate {fixed}: {got}, reference {expected}"
    got = _rows(*_synthetic(package, shared, arguments, rates, device))
    assert got == synthetic, f"synthetic: {got}, reference {synthetic}"

    sampled, num_sampled = package.probabilistic_rejection_sampler.probabilistic_rejection_sample(**arguments)
    got = _rows(sampled, num_sampled)
    assert got == probabilistic, f"probabilistic: {got}, reference {probabilistic}"
    flat = package.rejection_sampler.flatten_sampled(
        sampled, num_sampled, arguments["cu_num_logits"], len(arguments["pos"])
    )
    padded = [
        token
        for tokens, drafts in zip(probabilistic, batch.drafts, strict=True)
        for token in tokens + [-1] * (len(drafts) + 1 - len(tokens))
    ]
    assert flat.tolist() == padded, "packed tokens differ"
    num_tokens = sum(len(tokens) for tokens in probabilistic)
    return f"{num_tokens} tokens, {num_tokens - len(probabilistic)} drafts kept"


def _synthetic(
    package: Any,
    shared: tuple[torch.Tensor, ...],
    arguments: dict[str, Any],
    rates: torch.Tensor,
    device: torch.device,
) -> tuple[torch.Tensor, torch.Tensor]:
    return package.synthetic_rejection_sampler.synthetic_rejection_sample(
        *shared,
        arguments["pos"],
        arguments["idx_mapping"],
        arguments["seed"],
        rates.to(device),
        arguments["num_speculative_steps"],
    )


def check_dtypes(package: Any, device: torch.device, num_sampled_dtype: torch.dtype) -> str:
    """The dtypes of what the samplers return; `num_sampled_dtype` is expected of the probabilistic one."""
    batch = make_batch(0, 3, 40, torch.float32)
    arguments = batch.on(device)
    target_sampled = torch.zeros(len(arguments["pos"]), dtype=torch.int64, device=device)
    shared = (target_sampled, arguments["draft_sampled"], arguments["cu_num_logits"])
    strict = package.strict_rejection_sampler.strict_rejection_sample(*shared, batch.num_steps)
    synthetic = _synthetic(package, shared, arguments, torch.full((3,), 0.5), device)
    probabilistic = package.probabilistic_rejection_sampler.probabilistic_rejection_sample(**arguments)
    for sampled, num_sampled in (strict, synthetic):
        assert (sampled.dtype, num_sampled.dtype) == (torch.int64, torch.int32)
    assert (probabilistic[0].dtype, probabilistic[1].dtype) == (torch.int64, num_sampled_dtype)
    counts = package.input_batch.get_num_sampled_and_rejected(
        probabilistic[1],
        arguments["idx_mapping"],
        arguments["cu_num_logits"],
        arguments["idx_mapping"],
        torch.zeros_like(batch.temperature, dtype=torch.int32, device=device),
    )
    assert [tensor.dtype for tensor in counts] == [num_sampled_dtype] * 2
    drafts = [len(drafts) for drafts in batch.drafts]
    assert (counts[0] + counts[1]).tolist() == [count + 1 for count in drafts]
    return f"probabilistic num_sampled and num_rejected {num_sampled_dtype}"


def check_eagle_preparation(package: Any, device: torch.device, seed: int) -> str:
    """The three Eagle kernels, on queries longer than a block."""
    rng = random.Random(seed)
    max_num_reqs, num_reqs, max_model_len = 9, 5, 4000
    lengths = [rng.choice([1, 2, 4, 1500, 2300]) for _ in range(num_reqs)]
    num_rejected = [rng.randint(0, min(length - 1, 3)) for length in lengths]
    num_sampled = [rng.randint(0, 3) if rejected == 0 else 1 for rejected in num_rejected]
    firsts = [rng.choice([0, 17, max_model_len - length]) for length in lengths]
    slots = rng.sample(range(max_num_reqs), num_reqs)
    last_sampled = torch.tensor([rng.randrange(50_000) for _ in range(max_num_reqs)], dtype=torch.int64)
    next_prefill = torch.tensor([rng.randrange(50_000) for _ in range(max_num_reqs)], dtype=torch.int32)

    input_batch = package.input_batch
    requests = [
        input_batch.ScheduledRequest(
            f"request-{r}", slots[r], [rng.randrange(50_000) for _ in range(length)], first
        )
        for r, (length, first) in enumerate(zip(lengths, firsts, strict=True))
    ]
    total = sum(lengths)
    batch = input_batch.InputBatch.from_requests(
        requests, input_batch.InputBuffers(max_num_reqs, total, device)
    )
    expected = reference.prepare_eagle_inputs(
        batch.input_ids.tolist(),
        batch.positions.tolist(),
        slots,
        last_sampled.tolist(),
        next_prefill.tolist(),
        num_sampled,
        num_rejected,
        batch.query_start_loc.tolist(),
        batch.seq_lens.tolist(),
        max_num_reqs,
    )

    buffers = input_batch.InputBuffers(max_num_reqs, total, device)
    for tensor in (buffers.input_ids, buffers.positions, buffers.query_start_loc, buffers.seq_lens):
        tensor.fill_(-7)
    last_token_indices = torch.full((max_num_reqs,), -7, dtype=torch.int64, device=device)
    rejected = torch.tensor(num_rejected, dtype=torch.int32, device=device)
    package.eagle.prepare_eagle_inputs(
        last_token_indices,
        buffers,
        batch,
        torch.tensor(num_sampled, dtype=torch.int32, device=device),
        rejected,
        last_sampled.to(device),
        next_prefill.to(device),
    )
    ids, positions = buffers.input_ids.tolist(), buffers.positions.tolist()
    assert ids == [expected.input_ids.get(index, -7) for index in range(total)]
    assert positions == [expected.positions.get(index, -7) for index in range(total)]
    assert buffers.query_start_loc.tolist() == expected.query_start_loc
    assert buffers.seq_lens.tolist() == expected.seq_lens
    assert last_token_indices.tolist() == expected.last_token_indices

    drafts = torch.tensor([rng.randrange(50_000) for _ in range(num_reqs)], dtype=torch.int64)
    last_positions = [positions[index] for index in expected.last_token_indices[:num_reqs]]
    package.eagle.prepare_eagle_decode(
        buffers,
        drafts.to(device),
        torch.tensor(last_positions, dtype=torch.int64, device=device),
        rejected,
        batch.seq_lens,
        max_model_len,
    )
    seq_lens = [
        min(length - gone + 1, max_model_len)
        for length, gone in zip(batch.seq_lens.tolist(), num_rejected, strict=True)
    ]
    next_positions = [min(position + 1, max_model_len - 1) for position in last_positions]
    assert buffers.input_ids[:num_reqs].tolist() == drafts.tolist()
    assert buffers.positions[:num_reqs].tolist() == next_positions
    assert buffers.query_start_loc.tolist() == [min(r, num_reqs) for r in range(max_num_reqs + 1)]
    assert buffers.seq_lens.tolist() == seq_lens + [0] * (max_num_reqs - num_reqs)

    hidden = torch.randn(num_reqs, 1300, generator=torch.Generator().manual_seed(seed)).to(torch.bfloat16)
    kept = torch.zeros(max_num_reqs, 1300, dtype=torch.bfloat16, device=device)
    package.eagle.update_eagle_inputs(
        buffers, kept, (drafts + 1).to(device), hidden.to(device), max_model_len
    )
    assert torch.equal(kept[:num_reqs].cpu(), hidden) and not kept[num_reqs:].any()
    assert buffers.input_ids[:num_reqs].tolist() == (drafts + 1).tolist()
    assert buffers.positions[:num_reqs].tolist() == [min(p + 1, max_model_len - 1) for p in next_positions]
    assert buffers.seq_lens[:num_reqs].tolist() == [min(length + 1, max_model_len) for length in seq_lens]
    return f"query lengths {lengths}, rejected {num_rejected}"
