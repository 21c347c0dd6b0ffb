import { homedir } from "node:os";
import { isDirectory } from "../../../app/world/effects/find-program.ts";
import { actOf } from "../../../app/world/state/effect.ts";
import { checkUseOnce } from "../../../catalog/live/live-sessions.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { defaultStateDir } from "../../../catalog/model/session-roots.ts";
import { type Noted, nameOf } from "../../../changes/engine/make-change.ts";
import { guard, guardAgain, type Shown, type Verdict } from "../../../changes/guard/guard.ts";
import { alsoOpen, whyNot } from "../../../changes/guard/guard-words.ts";
import type { ChangeRequest } from "../../../changes/kinds/kinds.ts";
import { CannotError, reasonOf } from "../../../changes/reason.ts";
import { rewindSentences, sessionRewind } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { messageOf } from "../../../shared/attempt.ts";
import { projectKey, resolvePath } from "../../../store/files/paths.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readChecked } from "../../../store/held/hold-session.ts";
import { capital, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/arguments.ts";
import { entryOf, findTargets, remarkElsewhere, type Target } from "../../find/find-target.ts";
import { jsonText } from "../../print/json.ts";
import { EXIT, failWith, type Mistake, printJsonText, printPath, remark } from "../../print/output.ts";
import { ask, reportOutcome, stoppable } from "./carry-out.ts";
import { type Engines, openEngines } from "./engines.ts";

/*
 * The commands that change one session. Each returns the exit code.
 */

/** Names a session, or clears its name. */
export function rename(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }) => {
		const [, ...words] = given.words;
		if (entry !== undefined) return { mistake: `rename names a session, not its entry ${entry}` };
		if (words.length === 0) return { mistake: `rename needs a name, or "" to clear it: pi-grove rename SESSION NAME` };
		const name = words.join(" ").trim();
		return {
			effect: { type: "rename", path, name },
			label: name === "" ? "Clear its name" : `Rename it to ${quote(name)}`,
			json: ({ undo, entryId }) => ({
				name,
				before: undo?.type === "rename" ? undo.name : name,
				changed: entryId !== undefined,
			}),
		};
	});
}

/** Labels an entry, or removes its label. */
export function label(given: Given): Promise<number> {
	return changeOne(given, async (target) => {
		const [, ...words] = given.words;
		const entry = await entryOf(target, "pi-grove label SESSION#ENTRY LABEL");
		if ("mistake" in entry) return entry;
		if (words.length === 0)
			return { mistake: `label needs a label, or "" to remove it: pi-grove label SESSION#ENTRY LABEL` };
		const text = words.join(" ").trim();
		return {
			effect: { type: "label", path: target.path, entryId: entry.id, label: text },
			label: text === "" ? `Remove the label of entry ${entry.id}` : `Label entry ${entry.id} ${quote(text)}`,
			json: ({ undo, entryId }) => ({
				entryId: entry.id,
				label: text,
				before: undo?.type === "label" ? undo.label : text,
				changed: entryId !== undefined,
			}),
		};
	});
}

/** Moves the leaf of a rewound session back to the end of its conversation. */
export function forward(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }) => {
		if (entry !== undefined) return { mistake: `forward takes a session, not its entry ${entry}` };
		const rewound = sessionRewind(await readChecked(path));
		if (rewound === undefined) return { nothing: "Nothing was done: it goes on from its end already." };
		return {
			effect: { type: "forward", path, entryId: rewound.endId },
			about: rewindSentences(rewound, Date.now()),
			label: "Go on from its end again: adds one line to the session",
			json: ({ entryId }) => ({ rewound, changed: entryId !== undefined }),
		};
	});
}

/** Copies the path to an entry into a new session, and prints its path. */
export function branch(given: Given): Promise<number> {
	return changeOne(given, async (target, row) => {
		const { path } = target;
		const entry = await entryOf(target, "pi-grove branch SESSION#ENTRY");
		if ("mistake" in entry) return entry;
		if (row.archived === true)
			return { mistake: `${path} is archived, and a branch would be too: bring it back in the browser first` };
		return {
			effect: { type: "branch", path, entryId: entry.id },
			label: `Make a new session of the path to entry ${entry.id}`,
			json: ({ created }) => ({ entryId: entry.id, created }),
			stdout: ({ created }) => created,
		};
	});
}

/** Copies a whole session into a new one, and prints its path. */
export function fork(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }, row) => {
		if (entry !== undefined)
			return { mistake: `fork copies the whole tree; for the path to entry ${entry}: pi-grove branch SESSION#ENTRY` };
		const { to } = given;
		const cwd = to === undefined ? row.cwd || process.cwd() : resolvePath(to);
		// pi cannot be started in a directory that does not exist.
		if (to !== undefined && !(await isDirectory(cwd))) return { mistake: `--to ${to} is not a directory` };
		return {
			effect: { type: "fork", path, cwd },
			label: `Fork it for the project in ${shortenHome(cwd, homedir())}`,
			json: ({ created }) => ({ cwd, created }),
			stdout: ({ created }) => created,
		};
	});
}

/** A planned change of one session. */
interface OneChange {
	readonly effect: ChangeRequest;
	/** Sentences to show before asking. */
	readonly about?: readonly string[];
	/** What the person agrees to: "Rename it to “Lexer”". */
	readonly label: string;
	/** What `--json` prints besides the path and the message. */
	readonly json: (made: Noted) => object;
	/** What is printed on stdout without `--json`: the path of a new session. */
	readonly stdout?: (made: Noted) => string | undefined;
}

/**
 * Changes the session that the first word names as the browser would, with journal entries for undo before and after; asks
 * first. `plan` returns the change, or why there is none to make. Returns the exit code.
 */
async function changeOne(
	given: Given,
	plan: (target: Target, row: SessionRow) => Promise<OneChange | Mistake | { readonly nothing: string }>,
): Promise<number> {
	const found = await findTargets(given.words.slice(0, 1), given);
	if ("mistake" in found) return failWith(found);
	const [target] = found.targets;
	const engines = openEngines(found.sessionRoots);
	try {
		const row = await engines.row(target.path);
		const change = await plan(target, row);
		if ("mistake" in change) return failWith(change);
		if ("nothing" in change) {
			remark(change.nothing);
			return EXIT.nothing;
		}
		const { effect, label } = change;
		const { shown, doubt } = await lookBefore(effect, row, engines);
		const about = [factsOf(row), ...(change.about ?? []), ...doubt];
		const answer = await ask(
			{
				title: sessionTitle(row),
				body: about.map((text) => [span(sanitizeLine(text))]),
				items: [{ label, effect }, { label: "Cancel" }],
				index: doubt.length === 0 ? 0 : 1,
				danger: doubt.length > 0,
			},
			given.yes === true,
		);
		if ("code" in answer) return answer.code;
		await requireFree(answer.effect, shown, engines);
		const { result: made, code } = await stoppable(engines.terminal.work, engines.journal.make(answer.effect));
		if (given.json) {
			const { path } = target;
			await printJsonText(jsonText({ path, id: row.id, ...change.json(made), message: made.message.text }));
		}
		const path = given.json ? undefined : change.stdout?.(made);
		if (path !== undefined) await printPath(path);
		const { text, tone } = made.message;
		// If something was appended, a running pi that has the session has not read it.
		const alsoWith = made.entryId !== undefined && guard("append", await lookAt(row, engines), row);
		const message = { text: alsoWith ? `${text}${alsoOpen(alsoWith, Date.now())}` : text, tone };
		const exitCode = reportOutcome({ message, ...(code !== undefined && { code }) });
		if (made.undo !== undefined) remarkElsewhere(found);
		return exitCode;
	} catch (error) {
		const message = messageOf(error);
		const reason = reasonOf(error);
		// What could not be written may be the new file.
		const path = reason instanceof StoreError ? reason.path : target.path;
		return failWith({ mistake: message.includes(path) ? message : `${message}. Path: ${path}` });
	} finally {
		await engines.close();
	}
}

/**
 * Checks whether a pi that has the session is in the way of the change: returns what was seen, and doubts as sentences.
 * Rejects, naming who has the session, if the change must not be made.
 */
async function lookBefore(request: ChangeRequest, row: SessionRow, engines: Engines) {
	if (request.type !== "forward") return { shown: undefined, doubt: [] };
	const verdict = guard(actOf(request), await lookAt(row, engines), row);
	if (verdict.decision === "refuse") throw refusal(request, row, verdict);
	const why = whyNot(verdict, Date.now());
	return {
		shown: { row, uses: verdict.uses },
		doubt: why === undefined ? [] : [`${capital(why)} A pi that has it open goes on where it is.`],
	};
}

/** Checks again after the question was answered. */
async function requireFree(request: ChangeRequest, shown: Shown | undefined, engines: Engines): Promise<void> {
	if (request.type !== "forward" || shown === undefined) return;
	const verdict = guardAgain(actOf(request), await lookAt(shown.row, engines), shown);
	if (verdict.decision !== "free") throw refusal(request, shown.row, verdict);
}

function refusal(request: ChangeRequest, row: SessionRow, verdict: Verdict): Error {
	return new CannotError(
		nameOf(request, () => sessionTitle(row)),
		new Error(whyNot(verdict, Date.now())),
	);
}

/**
 * What is in use, as the browser sees it. All sessions are listed only if that helps: when a pi runs in the session's
 * directory and does not say which session it has.
 */
async function lookAt({ path, cwd }: SessionRow, { store }: Engines): Promise<LiveReport> {
	const report = checkUseOnce(defaultStateDir(process.env, homedir()), store.roots, [path]);
	return report.pis.some((pi) => projectKey(pi.cwd) === projectKey(cwd) && !pi.reportsSession)
		? store.checkUse([path])
		: report;
}

/** Facts by which a person recognizes a session, besides its title. */
function factsOf({ path, messageCount, modified }: SessionRow): string {
	const when = formatDayTime(modified.getTime(), Date.now());
	return [formatCounted(messageCount, "message"), when, shortenHome(path, homedir())].filter(Boolean).join(", ");
}
