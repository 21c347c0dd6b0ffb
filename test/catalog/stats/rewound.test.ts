import { appendFileSync, utimesSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sessionRewind } from "../../../src/conversation/entries/leaf.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { forwardLeaf, restoreLeaf } from "../../../src/store/actions/session-actions.ts";
import { examineSteps } from "../../../src/store/doctor/examine-session.ts";
import { holdSession } from "../../../src/store/held/hold-session.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { openCounting } from "../../support/counting.ts";
import { staleName, turns } from "../../support/rewound-session.ts";
import { header, lines, name, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

// Long enough for a machine that is busy with other things.

const KINDS = [
	"user",
	"answer",
	"session_info",
	"label",
	"custom",
	"usage",
	"model_change",
	"point",
	"return",
] as const;

type Step = readonly [kind: (typeof KINDS)[number], back: number];

const step: fc.Arbitrary<Step> = fc.tuple(
	fc.constantFrom(...KINDS),
	fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat({ max: 8 })),
);

/** Usually a line of a window that knows less. */
const mark: fc.Arbitrary<Step> = fc.tuple(
	fc.constantFrom("session_info", "label", "custom", "usage", "return"),
	fc.nat({ max: 8 }),
);

const idAt = (index: number) => index.toString(16).padStart(8, "0");

function lineOf([kind, back]: Step, index: number): string {
	const parent = index - 1 - Math.min(back, index);
	const parentId = parent < 0 ? null : idAt(parent);
	const base = { id: idAt(index), parentId, timestamp: new Date(1.7e12 + index * 1000).toISOString() };
	const point = (entryId: string | null) => ({
		type: "custom",
		...base,
		customType: "pi-grove:resume-point",
		data: { entryId },
	});
	const message = (role: string) => ({
		type: "message",
		...base,
		message: { role, content: [{ type: "text", text: `entry ${index}` }], stopReason: "stop", timestamp: 1 },
	});
	const entry = {
		user: message("user"),
		answer: message("assistant"),
		session_info: { type: "session_info", ...base, name: `name ${index}` },
		label: { type: "label", ...base, targetId: parentId ?? base.id, label: "here" },
		custom: { type: "custom", ...base, customType: "x" },
		usage: { type: "usage", ...base, kind: "cache_warm" },
		model_change: { type: "model_change", ...base, provider: "p", modelId: "m" },
		point: point("prompt"),
		return: point(parentId),
	}[kind];
	return `${JSON.stringify(entry)}\n`;
}

test("list, tree, doctor and the held session find the same moved leaf, also after growth; moving it back and the undo of that work", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	let time = 1;
	let found = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 25 }), mark, fc.nat(), async (steps, last, cut) => {
			const all = [...steps, last].map(lineOf);
			const first = 1 + (cut % all.length);
			const path = write("--p--/1.jsonl", lines(header()) + all.slice(0, first).join(""));
			const look = async () => {
				utimesSync(path, time, time++);
				counting.list(path);
				await counting.count();
				const rewound = sessionRewind(await readSession(path));
				expect(counting.numbers(path).numbers.counts.rewound).toEqual(rewound);
				const held = await holdSession(path, { minBytes: 0 });
				if (held !== undefined) expect(sessionRewind(held)).toEqual(rewound);
				const { totals } = runToEnd(examineSteps(path));
				expect(totals.rewound).toBe(rewound === undefined ? undefined : 1);
				return rewound;
			};
			counting.remove(path);
			await look();
			appendFileSync(path, all.slice(first).join(""));
			const rewound = await look();
			if (rewound === undefined) return;
			found += 1;
			const done = forwardLeaf(path, rewound.endId);
			expect(await look()).toBeUndefined();
			restoreLeaf(path, done.leafId);
			expect(await look()).toEqual(rewound);
		}),
		{ numRuns: caseCount(30, 80), seed: FIRST_SEED },
	);
	expect(found).toBeGreaterThan(10);
});

test("names at a moved leaf leave it moved, without counting the file again; a message there settles it", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	const path = write("--p--/1.jsonl", lines(header(), ...turns(4), staleName(1, 90)));
	const rewoundAfter = async (time: number, ...more: readonly string[]) => {
		appendFileSync(path, lines(...more));
		utimesSync(path, time, time);
		counting.list(path);
		await counting.count();
		return counting.numbers(path).numbers.counts.rewound;
	};
	expect(await rewoundAfter(1, ...[])).toMatchObject({ turn: 1, turns: 4, endId: "a4" });
	expect(await rewoundAfter(2, name("n", "stale", 91, "Name"))).toMatchObject({ turn: 1, turns: 4, endId: "a4" });
	expect(await rewoundAfter(3, user("u5", "n", 92, "Here"))).toBeUndefined();
});
