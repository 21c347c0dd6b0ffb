import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkPath, reasonsOf } from "../../src/conversation/glance/can-resume.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { CONTEXT_HEADER, contextLine, contextStep } from "../support/random-context.ts";
import { tempDir } from "../support/temp-dir.ts";
import { PI_VERSION } from "./pi.ts";

/** What pi sends is only looked at for the newest version whose packages are in the registry. */
const hasPackages = PI_VERSION === "1.5.2";
const PACKAGES = "./pi-1.5.2/node_modules/@earendil-works";

interface Sent {
	readonly role: string;
	readonly toolCallId?: string;
	readonly content: string | readonly { readonly type: string; readonly id?: string }[];
}

/** The functions of pi that make a request of a session. */
interface Sending {
	parseSessionEntries(text: string): unknown[];
	buildSessionProjection(entries: unknown[], leafId: string): { readonly messages: unknown[] };
	convertToLlm(messages: unknown[]): unknown[];
	transformMessages(messages: unknown[], model: object): Sent[];
}

async function load(): Promise<Sending> {
	const at = (file: string): Promise<object> => import(new URL(`${PACKAGES}/${file}`, import.meta.url).href);
	const parts = await Promise.all([
		at("pi-coding-agent/dist/bundle/index.js"),
		at("pi-ai/dist/api/transform-messages.js"),
	]);
	// Their own types need packages that are not unpacked.
	return Object.assign({}, ...parts) as Sending;
}

/** The rule of every provider: a result follows its call, with nothing but other results between them, and once. */
function isRefused(messages: readonly Sent[]): boolean {
	let open = new Set<string>();
	for (const { role, toolCallId = "", content } of messages) {
		if (role === "toolResult") {
			if (!open.delete(toolCallId)) return true;
		} else if (role === "assistant") {
			const blocks = typeof content === "string" ? [] : content;
			open = new Set(blocks.flatMap(({ type, id }) => (type === "toolCall" && id !== undefined ? [id] : [])));
		} else if (role === "user") open = new Set();
	}
	return false;
}

test.runIf(hasPackages)("a leaf is said to fail exactly where pi sends what every provider refuses", async () => {
	const pi = await load();
	const path = join(tempDir(), "random.jsonl");
	const model = { id: "large", provider: "p", api: "x", input: ["text", "image"] };
	let refused = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(contextStep, { minLength: 1, maxLength: 25 }), async (steps) => {
			const text = CONTEXT_HEADER + steps.map(contextLine).join("");
			writeFileSync(path, text);
			const session = await readSession(path);
			const entries = pi.parseSessionEntries(text).slice(1);
			for (const { id } of session.entries) {
				const { messages } = pi.buildSessionProjection(entries, id);
				const sent = pi.transformMessages(pi.convertToLlm(messages), model);
				const fails = reasonsOf(runToEnd(checkPath(session, id))).some(({ severity }) => severity === "fails");
				expect({ id, fails }).toEqual({ id, fails: isRefused(sent) });
				if (fails) refused++;
			}
		}),
		{ numRuns: caseCount(150, 300), seed: FIRST_SEED },
	);
	expect(refused).toBeGreaterThan(100);
});
