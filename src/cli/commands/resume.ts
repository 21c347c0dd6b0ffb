import { homedir } from "node:os";
import { resumeArchivedMenu } from "../../app/features/sessions/archive-menus.ts";
import type { Effect } from "../../app/world/state/effect.ts";
import type { Outcome } from "../../app/world/state/outcome.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { messageOf } from "../../store/files/reason.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span } from "../../ui/text/span.ts";
import type { Given } from "../arguments/given.ts";
import { choosePi } from "../browser/choose-pi.ts";
import { finish, noteStart } from "../browser/finish.ts";
import { entryOf } from "../find/entry-of.ts";
import type { Target } from "../find/find-target.ts";
import { findTargets } from "../find/find-targets.ts";
import { endWith, type Mistake } from "../print/mistake.ts";
import { type Answer, ask } from "./change/ask.ts";
import { carryOut, tell } from "./change/carry-out.ts";
import { type Engines, openEngines } from "./change/engines.ts";

/** Goes on with a session in pi, in this terminal; returns pi's exit code. */
export async function resume(given: Given): Promise<number> {
	const { env } = process;
	const pi = await choosePi(given.pi, env);
	if ("mistake" in pi) return endWith(pi);
	const found = await findTargets(given.words, given);
	if ("mistake" in found) return endWith(found);
	const [target] = found.targets;
	const engines = openEngines(found.sessionRoots, pi);
	let end: Outcome | number;
	let onLeft: (() => void) | undefined;
	const stateDir = defaultStateDir(env, homedir());
	try {
		end = await prepare(target, engines, given.yes === true);
		// Noted as in use already while all is closed, so that no browser deletes the session before pi has started.
		if (typeof end !== "number" && end.kind === "resume") onLeft = noteStart(stateDir, end.path, process.pid);
	} catch (error) {
		end = endWith({ mistake: messageOf(error) });
	} finally {
		await engines.close();
	}
	if (typeof end === "number") return end;
	// pi says itself where it has no terminal.
	const terminal = { input: process.stdin, output: process.stdout, close: () => undefined };
	return finish(end, { terminal, stateDir, onLeft });
}

/** All that comes before pi; a number is the exit code where it is not started. */
async function prepare(target: Target, engines: Engines, yes: boolean): Promise<Outcome | number> {
	await engines.list();
	const row = await engines.row(target.path);
	// `--yes` is about the session where it is: it agrees to no move.
	const chosen = row.archived
		? await ask({ ...resumeArchivedMenu(engines.state(), row), index: -1 }, yes)
		: await effectFor(target, row, yes);
	if ("mistake" in chosen) return endWith(chosen);
	if ("code" in chosen) return chosen.code;
	const outcome = await carryOut(chosen.effect, engines, yes);
	// A signal came meanwhile: nobody wants a pi any more.
	if (outcome.code !== undefined) return tell(outcome);
	return engines.left() ?? tell(outcome);
}

/** Resuming the session as it is; or from an entry, which is asked about. */
async function effectFor(target: Target, row: SessionRow, yes: boolean): Promise<Answer<Effect> | Mistake> {
	const request = { path: target.path, cwd: row.cwd || process.cwd(), shown: { row, uses: [] } };
	if (target.entry === undefined) return { effect: { type: "resume", request } };
	const entry = await entryOf(target, "pi-grove resume SESSION#ENTRY");
	if ("mistake" in entry) return entry;
	const effect: Effect = { type: "resume-from", request, entryId: entry.id };
	const body = [[span(cleanText("This adds one line to the session, so that pi goes on there; undo takes it back."))]];
	const items = [{ label: `Go on from entry ${entry.id}`, effect }, { label: "Cancel" }];
	return ask<Effect>({ title: sessionTitle(row), body, items, index: 0, danger: false }, yes);
}
