import { readdirSync, realpathSync } from "node:fs";
import type { SessionRow } from "../catalog/model/row.ts";
import { attempt } from "../shared/attempt.ts";
import { memoLast } from "../shared/memo.ts";
import { dirname, isWithin, join } from "../shared/paths.ts";
import { type Steps, TimeSlice } from "../shared/steps.ts";
import { fileKey, rulesOf, systemOf } from "../shared/system.ts";
import { explain } from "../store/files/store-error.ts";
import { readHeld } from "../store/held/hold-session.ts";
import type { Session } from "../store/read/read-session.ts";
import { type BlameAnswer, candidates, type LineEdit } from "./blame.ts";
import { copyFinder, pathsOf, type SearchedFile } from "./blamed-file.ts";
import { sessionsNaming } from "./find-edits.ts";
import { Grounds } from "./grounds.ts";
import { Ledger } from "./ledger.ts";
import { isDistinctive, LineHistory, type LineOrigin, newLinesOf } from "./lines.ts";
import { replacedFiles } from "./replaced-files.ts";
import { changeOf, type SessionEvent, sessionEvents, type Witness } from "./session-events.ts";

export interface AuthorsOptions {
	/** All sessions of this machine. */
	readonly rows: readonly SessionRow[];
	readonly home: string;
	/** A session that is not among the rows, or is read already. */
	readonly own?: Session | undefined;
	/** Whether its files are on this machine. @default true */
	readonly isHere?: boolean;
	readonly slice?: TimeSlice;
	readonly signal?: AbortSignal;
	/** Called with the number of sessions searched so far. */
	readonly onProgress?: ((searched: number) => void) | undefined;
}

/** All that sessions did to a file, in all worktrees and under all of its names. */
export interface FileAuthors {
	readonly ledger: Ledger;
	/** Its paths that the ledger knows: those of its repository, and copies elsewhere. */
	readonly here: readonly string[];
	readonly elsewhere: readonly string[];
	/** The edits of the file, the oldest first. */
	readonly edits: readonly LineEdit[];
	/** What could not be read: one sentence each. */
	readonly unread: readonly string[];
	/** Who wrote lines of a text that the file has; `until`: the last order that counts. */
	history(until?: number): Promise<LineHistory>;
	/** What an origin says of a line. */
	answerFor(origin: LineOrigin, text: string): BlameAnswer;
	/** The last edit with which a session added a line. */
	editOf(session: string, text: string): LineEdit | undefined;
}

/** Reads what sessions did to a file. Rejects with a `RipgrepError` if ripgrep cannot be used. */
export async function fileAuthors(file: SearchedFile, options: AuthorsOptions): Promise<FileAuthors> {
	const { rows, home, own, slice = new TimeSlice(options.signal), onProgress } = options;
	const names = new Set([file.path, file.typed, ...file.names, ...linksTo(file.path)].map(baseNameOf));
	const unread: string[] = [];
	const sessions = new Map<string, Session>(own === undefined ? [] : [[own.path, own]]);
	const created = new Map(rows.map(({ path, created: at }) => [path, at.getTime()]));
	// A session that moved it here may have had it under another name.
	for (let open = [...names]; open.length > 0; ) {
		const naming = await sessionsNaming(rows, open, options);
		unread.push(...naming.unread);
		const paths = naming.paths.filter((path) => !sessions.has(path));
		for (const path of paths.sort((one, other) => (created.get(one) ?? 0) - (created.get(other) ?? 0))) {
			try {
				sessions.set(path, await readHeld(path));
			} catch (error) {
				unread.push(`${path} cannot be read: ${explain(error)}`);
			}
		}
		open = [];
		for (const session of sessions.values())
			for (const name of await slice.run(formerNames(session, home, names))) open.push(name);
		for (const name of open) names.add(name);
	}
	onProgress?.(rows.length);
	const all = new Set([...pathsOf(file)].map((path) => fileKey(path)));
	// What was copied belongs to the session that is here: the one that was moved with its directory.
	const isIn = ({ header }: Session): boolean =>
		file.directories.some((directory) => isWithin(header?.cwd ?? "", directory));
	const witnesses = [...sessions.values()]
		.toSorted((one, other) => Number(isIn(other)) - Number(isIn(one)))
		.map((session): Witness => ({ session, home, title: "" }));
	const { isHere: isOfHere = true } = options;
	const grounds = new Grounds(isOfHere);
	const isWanted = (path: string): boolean => {
		const system = systemOf(path);
		const key = fileKey(baseNameOf(path), system);
		return names.values().some((name) => fileKey(name, system) === key);
	};
	const replaced = isOfHere ? await replacedFiles(file.directories) : [];
	const ledger = await Ledger.open(witnesses, grounds, { readsDisk: isOfHere, slice, replaced, isWanted });
	const isCopy = await copyFinder(file);
	const [here, elsewhere]: [string[], string[]] = [[], []];
	const { spellings } = grounds;
	for (const path of new Set([spellings.of(file.path), ...ledger.paths.filter(isWanted)])) {
		const copy = all.has(fileKey(path)) ? "yes" : await isCopy(path);
		if (copy === "yes") here.push(path);
		else if (copy === "maybe") elsewhere.push(path);
	}
	// What was moved or copied here has its lines from there.
	for (const path of here) {
		for (const { what } of ledger.eventsOf(path))
			if (what.kind === "from" && !here.includes(what.path)) here.push(what.path);
	}
	await ledger.prepare([...here, ...elsewhere]);
	const steps = [...here, ...elsewhere].flatMap((path) =>
		ledger
			.eventsOf(path)
			.flatMap(({ step }) => (step?.act.kind === "edit" || step?.act.kind === "write" ? [step] : [])),
	);
	const isHere = (step: SessionEvent): boolean => "path" in step.act && here.includes(spellings.of(step.act.path));
	const edits = steps.map((step) => lineEditOf(step, isHere(step)));
	// Where the text is known, its history has said all.
	const isUntold = (step: SessionEvent): boolean =>
		"path" in step.act &&
		(!isHere(step) ||
			ledger.track(ledger.grounds.canonical(step.act.path)).at(ledger.orderOf(step)).contents.length === 0);
	const stepsAdding = memoLast(() => stepsByLine(steps));
	return {
		...{ ledger, here, elsewhere, edits, unread },
		history: async (until) => new LineHistory(ledger, here, until),
		answerFor(origin, text) {
			const answer = answerOf(origin, edits.length);
			if (answer.answer !== "unknown")
				return unread.length > 0 && answer.answer === "exact"
					? candidates(answer.edits, "some sessions cannot be read")
					: answer;
			const step = isDistinctive(text) ? stepsAdding().get(text)?.findLast(isUntold) : undefined;
			if (step === undefined) return answer;
			const place = "path" in step.act ? step.act.path : "";
			const why = isHere(step)
				? "this session added such a line, and what became of it is not known"
				: `it was added in another directory: ${place}`;
			return candidates([lineEditOf(step, isHere(step))], why);
		},
		editOf(session, text) {
			const step = stepsAdding()
				.get(text)
				?.findLast(({ witness }) => witness.session.path === session);
			return step && lineEditOf(step, isHere(step));
		},
	};
}

function baseNameOf(path: string): string {
	return rulesOf(path).basename(path);
}

/** The links beside a file that lead to it. */
function linksTo(path: string): readonly string[] {
	const directory = dirname(path);
	const links =
		attempt(() => readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())) ?? [];
	return links.map(({ name }) => join(directory, name)).filter((link) => attempt(() => realpathSync(link)) === path);
}

/** The names that a session's commands gave up for one of some names. */
function* formerNames(session: Session, home: string, names: ReadonlySet<string>): Steps<readonly string[]> {
	const former: string[] = [];
	const { events } = yield* sessionEvents({ session, home, title: "" });
	for (const { act } of events) {
		if (act.kind !== "command") continue;
		for (const effect of act.effects)
			if (
				(effect.kind === "move" || effect.kind === "copy") &&
				names.has(baseNameOf(effect.to)) &&
				!names.has(baseNameOf(effect.from))
			)
				former.push(baseNameOf(effect.from));
	}
	return former;
}

/** The edits that put in each line. */
function stepsByLine(steps: readonly SessionEvent[]): ReadonlyMap<string, readonly SessionEvent[]> {
	const byLine = new Map<string, SessionEvent[]>();
	for (const step of steps) {
		const change = changeOf(step);
		const written = change?.tool === "write" ? new Set(change.content.split(/\r?\n/)) : new Set<string>();
		for (const line of newLinesOf(step) ?? written)
			if (byLine.get(line)?.push(step) === undefined) byLine.set(line, [step]);
	}
	return byLine;
}

function lineEditOf({ witness, entryId, endMs: timeMs, act }: SessionEvent, isHere: boolean): LineEdit {
	const tool = act.kind === "edit" || act.kind === "write" ? act.kind : "command";
	return { session: witness.session.path, entryId, timeMs, tool, path: "path" in act ? act.path : "", isHere };
}

function answerOf(origin: LineOrigin, edits: number): BlameAnswer {
	switch (origin.kind) {
		case "step": {
			const edit = lineEditOf(origin.step, true);
			if (origin.since === "kept")
				return { answer: "exact", edits: [edit], why: "this session added the line, and it has stayed since" };
			const why =
				origin.since === "reformatted"
					? "reformatted since: only blanks, quotes, commas or semicolons changed"
					: "this session added it, it was removed, and it came back; who put it back is not known";
			return candidates([edit], why);
		}
		case "between":
			return candidates(
				origin.steps.map((step) => lineEditOf(step, true)),
				"one of these commands wrote it, or a person did",
			);
		case "commit":
			return {
				answer: "unknown",
				edits: [],
				why: `commit ${origin.commit.slice(0, 7)} has it, and no session is known to have written it`,
			};
		case "before": {
			const why =
				edits === 0
					? "no session is known to have edited or written this file"
					: "it was there before all that is known of this file";
			return { answer: "unknown", edits: [], why };
		}
	}
}
