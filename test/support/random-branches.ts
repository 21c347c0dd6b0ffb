import fc from "fast-check";

/** Random sessions as pi writes them, with forks anywhere: what each entry is, and where it hangs. */

const KINDS = ["user", "answer", "call", "result", "session_info", "label", "custom", "model_change"] as const;

/** One entry: what it is, and how many entries back its parent stands (0: the leaf). */
export type RandomEntry = readonly [kind: (typeof KINDS)[number], back: number];

const time = (second: number) => new Date(1.7e12 + second * 1000).toISOString();

/** The first line of their file. */
export const randomHeader = JSON.stringify({ type: "session", version: 3, id: "x", timestamp: time(0), cwd: "/x" });

/** An entry, mostly one that goes on from the leaf. */
export const randomEntry: fc.Arbitrary<RandomEntry> = fc.tuple(
	fc.constantFrom(...KINDS),
	fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat({ max: 6 })),
);

/** The line of an entry, with its `\n`; `index` is its place in the file. */
export function randomLine([kind, back]: RandomEntry, index: number): string {
	const id = index.toString(16).padStart(8, "0");
	const parent = index - 1 - Math.min(back, index);
	const parentId = parent < 0 ? null : parent.toString(16).padStart(8, "0");
	// Now and then a pause of two hours.
	const base = { id, parentId, timestamp: time(index + 1 + 7200 * Math.floor(index / 5)) };
	const message = (fields: object) => ({ type: "message", ...base, message: { timestamp: 1, ...fields } });
	const text = [{ type: "text", text: `entry ${index}` }];
	const call = [{ type: "toolCall", id: `c${index}`, name: "bash", arguments: { command: "ls" } }];
	const result = { role: "toolResult", toolCallId: `c${index - 1}`, toolName: "bash", content: text };
	const entry = {
		user: message({ role: "user", content: text }),
		answer: message({ role: "assistant", content: text, stopReason: "stop" }),
		call: message({ role: "assistant", content: call, stopReason: "toolUse" }),
		result: message({ ...result, isError: index % 3 === 0 }),
		session_info: { type: "session_info", ...base, name: `name ${index}` },
		label: { type: "label", ...base, targetId: parentId ?? id, label: "here" },
		custom: { type: "custom", ...base, customType: "x" },
		model_change: { type: "model_change", ...base, provider: "p", modelId: `m${index % 2}` },
	}[kind];
	return `${JSON.stringify(entry)}\n`;
}
