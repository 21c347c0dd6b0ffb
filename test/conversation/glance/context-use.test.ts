import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goesOnFrom } from "../../../src/conversation/entries/leaf.ts";
import { checkPath, reasonsOf } from "../../../src/conversation/glance/can-resume.ts";
import { contextUse, estimateTokens, isDropped } from "../../../src/conversation/glance/context-use.ts";
import { leafOutlook } from "../../../src/conversation/glance/outlook.ts";
import { gaugeForms, resumeView } from "../../../src/conversation/glance/resume-view.ts";
import { requestCost } from "../../../src/conversation/glance/usage.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import type { SessionEntry } from "../../../src/store/format/schema.ts";
import { extendSession, readSession, type Session } from "../../../src/store/read/read-session.ts";
import { agentMessageOf, buildContextEntries, buildSessionProjection } from "../../../src/store/tree/context.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { CONTEXT_HEADER, type ContextStep, contextLine, contextStep } from "../../support/random-context.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
const fixtures = join(import.meta.dirname, "../../../fixtures");

async function read(steps: readonly ContextStep[]): Promise<Session> {
	const path = join(folder, "context.jsonl");
	writeFileSync(path, CONTEXT_HEADER + steps.map(contextLine).join(""));
	return readSession(path);
}

const sessions = fc.array(contextStep, { minLength: 1, maxLength: 30 });

/** Whether an entry is an answer that was finished. */
function isAnswer(entry: SessionEntry): boolean {
	return agentMessageOf(entry)?.role === "assistant" && !isDropped(entry);
}

/** Tokens at an entry as pi's documents say it: what the last answer has counted, and a guess of what came after. */
function tokensAsPi({ entries, tree }: Session, id: string): number {
	const { entries: projected } = buildSessionProjection(entries, id, tree.byId);
	const path = buildContextEntries(entries, id, tree.byId);
	const changed = path.findLastIndex(
		({ type }, index) => type === "context_edit" || (type === "compaction" && index > 0),
	);
	const first = path[0]?.type === "compaction" ? projected.findIndex(({ sourceEntry }) => sourceEntry === path[0]) : -1;
	// What is kept of before a compaction was counted before it.
	const keptUntil =
		first === -1 ? -1 : projected.findLastIndex(({ sourceEntry }) => isBefore(path[0], sourceEntry, tree));
	const last = projected.findLastIndex(({ sourceEntry, messages }) => {
		return messages.length > 0 && isAnswer(sourceEntry) && (requestCost(sourceEntry)?.total ?? 0) > 0;
	});
	const isValid = last > Math.max(changed, keptUntil, first);
	const counted = projected[last]?.sourceEntry;
	const rest = projected.slice(isValid ? last + 1 : 0).filter(({ messages }) => messages.length > 0);
	const guessed = rest.reduce((sum, { sourceEntry, messages }) => {
		const [message] = messages;
		if (isDropped(sourceEntry)) return sum;
		const isEdited = message !== undefined && sourceEntry.type === "message" && message !== sourceEntry.message;
		const content =
			isEdited || sourceEntry.type === "custom_message" ? (message as { content?: unknown }).content : undefined;
		return sum + estimateTokens(sourceEntry, content);
	}, 0);
	return guessed + (isValid && counted !== undefined ? (requestCost(counted)?.total ?? 0) : 0);
}

function isBefore(compaction: SessionEntry | undefined, entry: SessionEntry, { parentOf }: Session["tree"]): boolean {
	for (let at = compaction && parentOf.get(compaction.id); at !== undefined; at = parentOf.get(at)) {
		if (at === entry.id) return true;
	}
	return false;
}

describe("the context at an entry", () => {
	test("takes the tokens that its last answer has counted, and a guess of what came after it", async () => {
		await fc.assert(
			fc.asyncProperty(sessions, async (steps) => {
				const session = await read(steps);
				for (const { id } of session.entries) {
					expect(runToEnd(contextUse(session, id)).tokens).toBe(tokensAsPi(session, id));
				}
			}),
			{ numRuns: caseCount(150), seed: FIRST_SEED },
		);
	});

	test("is empty before the first entry", async () => {
		const session = await read([["user", 0, 100]]);
		expect(runToEnd(contextUse(session, null))).toEqual({ tokens: 0, guessed: 0, last: undefined });
		expect(reasonsOf(runToEnd(checkPath(session, null)))).toEqual([]);
	});
});

test("the outlook from a leaf that has grown is that of the session read anew", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, fc.nat(), async (steps, cut) => {
			const lines = steps.map(contextLine);
			const first = cut % lines.length;
			const path = join(folder, "grows.jsonl");
			writeFileSync(path, CONTEXT_HEADER + lines.slice(0, first).join(""));
			let session = await readSession(path);
			leafOutlook(session);
			for (const line of lines.slice(first)) {
				writeFileSync(path, line, { flag: "a" });
				session = (await extendSession(session)) ?? (await readSession(path));
				expect(leafOutlook(session)).toEqual(leafOutlook(await readSession(path)));
			}
		}),
		{ numRuns: caseCount(60), seed: FIRST_SEED },
	);
});

test("of any file, however damaged, every entry has an outlook that can be drawn", async () => {
	const texts = readdirSync(fixtures)
		.filter((name) => name.endsWith(".jsonl"))
		.map((name) => readFileSync(join(fixtures, name), "utf8"));
	const glance = { counting: undefined, request: undefined, facts: undefined };
	for (let seed = FIRST_SEED; seed < FIRST_SEED + caseCount(100); seed++) {
		const random = seededRandom(seed);
		const path = join(folder, "mutated.jsonl");
		writeFileSync(path, mutateSession(texts[Math.floor(random() * texts.length)] ?? "", random));
		const session = await readSession(path);
		for (const { id } of session.entries) {
			const view = resumeView(session, goesOnFrom(session, id), glance, Date.now());
			if (view === undefined) throw new Error("It is a small session.");
			expect(view.gauge.tokens).toBeGreaterThanOrEqual(0);
			const widths = gaugeForms(view.gauge).map(lineWidth);
			expect(widths).toEqual(widths.toSorted((a, b) => b - a));
		}
	}
});

/** How far the context at each turn is from what the next request really had, as parts of that; the smallest first. */
function misses(session: Session): number[] {
	const found: number[] = [];
	for (const entry of session.entries) {
		const usage = isAnswer(entry) ? requestCost(entry) : undefined;
		const sent = usage === undefined ? 0 : usage.total - usage.output;
		const use = runToEnd(contextUse(session, session.tree.parentOf.get(entry.id) ?? null));
		if (sent > 0 && use.last !== undefined) found.push(Math.abs(use.tokens - sent) / sent);
	}
	return found.toSorted((a, b) => a - b);
}

function median(values: readonly number[]): number {
	return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe("against what really followed", () => {
	test("the context at each turn of pi's own session is nearly what its next request had", async () => {
		const found = misses(await readSession(join(fixtures, "pi-1.5.2.jsonl")));
		expect(found.length).toBeGreaterThanOrEqual(5);
		expect(median(found)).toBeLessThan(0.02);
	});

	/** A session of one's own: `PI_GROVE_SESSION=… npx vitest run test/app/glance`. */
	const own = process.env.PI_GROVE_SESSION ?? "";
	test.runIf(existsSync(own))(
		"so it is for a session of one's own, and no turn that was gone on from is said to fail",
		async () => {
			const session = await readSession(own);
			const found = misses(session);
			expect(found.length).toBeGreaterThan(0);
			expect(median(found)).toBeLessThan(0.02);
			for (const entry of session.entries) {
				if (!isAnswer(entry)) continue;
				const reasons = reasonsOf(runToEnd(checkPath(session, session.tree.parentOf.get(entry.id) ?? null)));
				expect(reasons.filter(({ severity }) => severity === "fails")).toEqual([]);
			}
		},
	);
});
