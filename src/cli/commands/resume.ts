import { homedir } from "node:os";
import { archivedQuestion } from "../../app/world/questions/resume-question.ts";
import type { Effect, Outcome } from "../../app/world/state/effect.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { messageOf } from "../../shared/attempt.ts";
import type { Given } from "../arguments/arguments.ts";
import { finish, noteStart } from "../browser/finish.ts";
import { choosePi } from "../browser/surroundings.ts";
import { entryOf, findTargets, placedIn, type Target } from "../find/find-target.ts";
import { failWith, type Mistake } from "../print/output.ts";
import { type Answer, ask, carryOut, reportOutcome } from "./change/carry-out.ts";
import { type Engines, openEngines } from "./change/engines.ts";

/** Goes on with a session in pi, in this terminal; returns pi's exit code. */
export async function resume(given: Given): Promise<number> {
	const there = await resumeThere(given);
	if (there !== undefined) return typeof there === "number" ? there : failWith(there);
	const { env } = process;
	const pi = await choosePi(given.pi, env);
	if ("mistake" in pi) return failWith(pi);
	const found = await findTargets(given.words, given);
	if ("mistake" in found) return failWith(found);
	const [target] = found.targets;
	const engines = openEngines(found.sessionRoots, pi);
	let end: Outcome | number;
	let onLeft: (() => void) | undefined;
	const stateDir = defaultStateDir(env, homedir());
	try {
		end = await prepare(target, engines, given.yes === true);
		// Noted as in use during closing, so that no browser deletes the session before pi has started.
		if (typeof end !== "number" && end.kind === "resume") onLeft = noteStart(stateDir, end.path, process.pid);
	} catch (error) {
		end = failWith({ mistake: messageOf(error) });
	} finally {
		await engines.close();
	}
	if (typeof end === "number") return end;
	// pi itself reports if it has no terminal.
	const terminal = { input: process.stdin, output: process.stdout, close: () => undefined };
	return finish(end, { terminal, stateDir, onLeft });
}

/** Goes on with a session of another place ("mini:01a1ff89"); undefined if the word does not name a place. */
async function resumeThere({ words: [word = ""], pi, yes }: Given): Promise<number | Mistake | undefined> {
	const placed = await placedIn(word);
	if (placed === undefined) return undefined;
	const options = [...(yes ? ["--yes"] : []), ...(pi === undefined ? [] : ["--pi", pi])];
	return (await import("../find/placed-target.ts")).resumeInPlace(placed, options);
}

/** Everything that happens before pi starts; a number is the exit code if it does not. */
async function prepare(target: Target, engines: Engines, yes: boolean): Promise<Outcome | number> {
	await engines.list();
	const row = await engines.row(target.path);
	// `--yes` does not agree to moving a session out of the archive.
	const chosen = row.archived
		? await ask({ ...archivedQuestion(row, process.cwd()), index: -1 }, yes)
		: await effectFor(target, row, yes);
	if ("mistake" in chosen) return failWith(chosen);
	if ("code" in chosen) return chosen.code;
	const outcome = await carryOut(chosen.effect, engines, yes);
	// After a signal, pi is no longer wanted.
	if (outcome.code !== undefined) return reportOutcome(outcome);
	return engines.left() ?? reportOutcome(outcome);
}

/** The effect that resumes the session as it is; or from an entry, after asking. */
async function effectFor(target: Target, row: SessionRow, yes: boolean): Promise<Answer<Effect> | Mistake> {
	const request = { path: target.path, cwd: row.cwd || process.cwd(), shown: { row, uses: [] } };
	if (target.entry === undefined) return { effect: { type: "resume", request } };
	const entry = await entryOf(target, "pi-grove resume SESSION#ENTRY");
	if ("mistake" in entry) return entry;
	const effect: Effect = { type: "resume-from", request, entryId: entry.id };
	const body = ["This adds one line to the session, so that pi goes on there; undo takes it back."];
	const choices = [{ label: `Go on from entry ${entry.id}`, effect }, { label: "Cancel" }];
	return ask<Effect>({ title: sessionTitle(row), body, choices, danger: false }, yes);
}
