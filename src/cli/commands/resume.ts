import { homedir } from "node:os";
import { archivedQuestion } from "../../app/world/questions/resume-question.ts";
import type { Effect, Outcome } from "../../app/world/state/effect.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { finish, noteStart } from "../browser/finish.ts";
import { choosePi } from "../browser/surroundings.ts";
import { entryIdOf, findTargets, placedIn, type Target } from "../find/find-target.ts";
import { EXIT } from "../print/output.ts";
import { ask, carryOut, reportOutcome } from "./change/carry-out.ts";
import { type Engines, withEngines } from "./change/engines.ts";

/** Goes on with a session in pi, in this terminal; returns pi's exit code. */
export async function resume(args: Arguments): Promise<number> {
	const there = await resumeThere(args);
	if (there !== undefined) return there;
	const { env } = process;
	const pi = await choosePi(args.pi, env);
	const { targets, sessionRoots } = await findTargets(args.words, args);
	let onLeft: (() => void) | undefined;
	const stateDir = defaultStateDir(env, homedir());
	const prepareFirst = async (engines: Engines): Promise<Outcome | number> => {
		const end = await prepare(targets[0], engines, args.yes === true);
		// Noted as in use during closing, so that no browser deletes the session before pi has started.
		if (typeof end !== "number" && end.kind === "resume") onLeft = noteStart(stateDir, end.path, process.pid);
		return end;
	};
	const end = await withEngines(sessionRoots, prepareFirst, pi);
	if (typeof end === "number") return end;
	// pi itself reports if it has no terminal.
	const terminal = { input: process.stdin, output: process.stdout, close: () => undefined };
	return finish(end, { terminal, stateDir, onLeft });
}

/** Goes on with a session of another place ("mini:01a1ff89"); undefined if the word does not name a place. */
async function resumeThere({ words: [word = ""], pi, yes }: Arguments): Promise<number | undefined> {
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
	const effect = row.archived
		? await ask({ ...archivedQuestion(row, process.cwd()), index: -1 }, yes)
		: await effectFor(target, row, yes);
	if (effect === undefined) return EXIT.nothing;
	const outcome = await carryOut(effect, engines, yes);
	// After a signal, pi is no longer wanted.
	if (outcome.code !== undefined) return reportOutcome(outcome);
	return engines.left() ?? reportOutcome(outcome);
}

/** The effect that resumes the session as it is; or from an entry, after asking: undefined if the person does not agree. */
async function effectFor(target: Target, row: SessionRow, yes: boolean): Promise<Effect | undefined> {
	const request = { path: target.path, cwd: row.cwd || process.cwd(), shown: { row, uses: [] } };
	if (target.entry === undefined) return { type: "resume", request };
	const entryId = await entryIdOf(target, "pi-grove resume SESSION#ENTRY");
	const effect: Effect = { type: "resume-from", request, entryId };
	const body = ["This adds one line to the session, so that pi continues there; undo reverts it."];
	const choices = [{ label: `Continue from entry ${entryId}`, effect }, { label: "Cancel" }];
	return ask<Effect>({ title: sessionTitle(row), body, choices, danger: false }, yes);
}
