import { ENTRIES_PER_STEP } from "../../shared/steps.ts";
import { fieldsOf, pathArgument, textOf } from "../../store/format/fields.ts";
import { contentText, SHELLS } from "../../store/format/message.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { heldFacts } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import { startOf } from "../../ui/text/sanitize.ts";
import { callWords } from "../entries/call-words.ts";
import { endingOf } from "../entries/ending.ts";
import { entryEnd } from "../entries/entry-facts.ts";
import { entryKind, roleOf } from "../entries/entry-kind.ts";
import type { OutlineColumns } from "../entries/outline-columns.ts";
import { commandRow, type Place, shortFile } from "../entries/place.ts";
import { describeRow } from "../entries/row.ts";
import { contentHead, plainWords } from "../entries/row-text.ts";
import { stepOf } from "../entries/step.ts";
import { callOf } from "../entries/tool-call.ts";
import type { Sum } from "../entries/turn-sum.ts";
import type { Digest, DigestFailure, DigestFile, DigestItem } from "./digest.ts";

/** The last failure of the active path, or of all else, and how far it is known whether it was mended. */
interface LastFailure {
	readonly index: number;
	readonly isActive: boolean;
	/** Entries up to this one, exclusive, have been compared with it. */
	comparedTo: number;
	/** Index of the entry with which it was mended; -1 for none. */
	mendedAt: number;
}

/** Collects the digest of a session while its entries are counted; it grows with the session, like `OutlineColumns`. */
export class DigestCollector {
	readonly #outline: OutlineColumns;
	readonly #place: Place;
	readonly #asked: (DigestItem & { readonly index: number })[] = [];
	#failedOnPath: LastFailure | undefined;
	#failedBeside: LastFailure | undefined;
	#answer = -1;
	#made: { readonly count: number; readonly digest: Digest } | undefined;

	constructor(outline: OutlineColumns, place: Place) {
		this.#outline = outline;
		this.#place = place;
	}

	/** Adds the entry with this index; all before it have been added. */
	add(index: number): void {
		const { session, active } = this.#outline;
		const entry = session.entries[index];
		if (entry === undefined) return;
		const isActive = active[index] === 1;
		if (entryEnd(entry, session) === "failed") {
			const failure = { index, isActive, comparedTo: index + 1, mendedAt: -1 };
			if (isActive) this.#failedOnPath = failure;
			else this.#failedBeside = failure;
		}
		if (!isActive) return;
		const kind = entryKind(entry);
		if (kind === "prompt") this.#asked.push({ index, ...this.#item(entry, this.#asked.length + 1) });
		else if (kind === "answer" && says(entry)) this.#answer = index;
	}

	/** The failure that is shown: without one of the active path, that of other branches. */
	get #failure(): LastFailure | undefined {
		return this.#failedOnPath ?? this.#failedBeside;
	}

	/** How many entries have not been compared with the failure, which need not be once it was mended. */
	get behind(): number {
		const failure = this.#failure;
		return failure === undefined || failure.mendedAt !== -1 ? 0 : this.#outline.count - failure.comparedTo;
	}

	/** Compares as many entries with the failure as a step takes; whether these were the last ones. */
	compareSome(): boolean {
		const failure = this.#failure;
		const failedEntry = this.#outline.session.entries[failure?.index ?? -1];
		if (failure === undefined || failedEntry === undefined) return true;
		const { session, active, table } = this.#outline;
		const isBelow = (index: number): boolean => {
			let at = index;
			while (at > failure.index) at = table.parent[at] ?? -1;
			return at === failure.index;
		};
		for (let step = 0; step < ENTRIES_PER_STEP && this.behind > 0; step++) {
			const index = failure.comparedTo++;
			const entry = session.entries[index];
			if (entry === undefined || (active[index] === 1) !== failure.isActive) continue;
			if (this.#isMended(failedEntry, entry) && (failure.isActive || isBelow(index))) failure.mendedAt = index;
		}
		return this.behind === 0;
	}

	/** Whether an entry is the same step as one that failed, and succeeded. */
	#isMended(failedEntry: SessionEntry, entry: SessionEntry): boolean {
		const { session } = this.#outline;
		const [kind, failedKind] = [entryKind(entry), entryKind(failedEntry)];
		if (failedKind === "answer") return (kind === "answer" || kind === "calls") && entryEnd(entry, session) === "ok";
		if (kind !== "result" && kind !== "command") return false;
		if (toolOf(entry) !== toolOf(failedEntry) || entryEnd(entry, session) !== "ok") return false;
		return stepKey(entry, session, this.#place) === stepKey(failedEntry, session, this.#place);
	}

	digest(path: Readonly<Sum>, rest: Readonly<Sum>): Digest {
		const { count, session } = this.#outline;
		if (this.#made?.count === count) return this.#made.digest;
		const answerEntry = session.entries[this.#answer];
		const whole = answerEntry === undefined ? "" : contentText(messageOf(answerEntry).content, "\n");
		const ending = endingOf(session);
		const open = [
			...(ending === undefined ? [] : [this.#at(session.tree.byId.get(ending.entryId), plainWords(ending.text))]),
			...(answerEntry === undefined ? [] : leftToDo(whole).map((text) => this.#at(answerEntry, plainWords(text)))),
		];
		const answer = answerEntry && {
			...this.#at(answerEntry),
			beginning: startOf(whole, MAX_BEGINNING),
			isWhole: whole.length <= MAX_BEGINNING,
		};
		const failed = this.#failure && this.#failed(this.#failure);
		const digest = { asked: [...this.#asked], changed: changedFiles(path, rest), failed, answer, open };
		this.#made = { count, digest };
		return digest;
	}

	#failed({ index, isActive, mendedAt }: LastFailure): DigestFailure | undefined {
		const { session } = this.#outline;
		const [entry, mendedEntry] = [session.entries[index], session.entries[mendedAt]];
		if (entry === undefined) return undefined;
		const step = stepOf(entry, session, this.#place);
		const row = describeRow(entry, session, this.#place);
		return {
			...this.#at(entry, step === undefined ? row.text : `${step.verb} ${step.argument}`),
			outcome: step?.outcome.find(({ tone }) => tone === "error")?.text ?? row.mark?.text ?? "✗ failed",
			said: onOneLine(step?.said ?? ""),
			isActive,
			mended: mendedEntry && { entryId: mendedEntry.id, turn: this.#turnOf(mendedEntry) },
		};
	}

	#at(entry: SessionEntry | undefined, text?: string): DigestItem {
		if (entry === undefined) return { entryId: "", turn: 0, text: onOneLine(text ?? "") };
		return text === undefined
			? this.#item(entry, this.#turnOf(entry))
			: { entryId: entry.id, turn: this.#turnOf(entry), text: onOneLine(text) };
	}

	#item(entry: SessionEntry, turn: number): DigestItem {
		const { text } = describeRow(entry, this.#outline.session, this.#place);
		return { entryId: entry.id, turn, text: onOneLine(text) };
	}

	#turnOf(entry: SessionEntry): number {
		const { table, active } = this.#outline;
		const index = table.indexOf(entry.id) ?? -1;
		if (active[index] === 1) return this.#asked.findLastIndex((prompt) => prompt.index <= index) + 1;
		return table.pathUp(entry.id).reduce((count, above) => count + (entryKind(above) === "prompt" ? 1 : 0), 0);
	}
}

/** UTF-16 units of the last answer that are kept as they were written. */
const MAX_BEGINNING = 4000;

function messageOf(entry: SessionEntry) {
	return fieldsOf(fieldsOf(entry).message);
}

/** Whether an answer has text. */
function says(entry: SessionEntry): boolean {
	return heldFacts(entry)?.says ?? contentHead(messageOf(entry).content).trim() !== "";
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

/** The name of a result's tool; one name for all shells, also that of the person. */
function toolOf(entry: SessionEntry): string {
	if (roleOf(entry) === "bashExecution") return SHELL;
	const name = textOf(messageOf(entry).toolName);
	return SHELLS.has(name) ? SHELL : name;
}

const SHELL = "$";

/** What is the same in two steps that do the same: the command, the tool and its file, or the tool and its arguments. */
function stepKey(entry: SessionEntry, session: Session, place: Place): string {
	const message = messageOf(entry);
	const isTyped = roleOf(entry) === "bashExecution";
	const { name, args } = isTyped ? { name: SHELL, args: message } : (callOf(entry, session) ?? { name: "", args: {} });
	if (isTyped || SHELLS.has(name)) {
		// What a command prints besides is no part of what it does.
		return `${SHELL} ${commandRow(textOf(args.command), place).replace(/\s*2>&1(?=\s|$)/g, "")}`;
	}
	const path = pathArgument(args);
	return `${name} ${path === "" ? callWords(name, args, place).argument : shortFile(path, place)}`;
}

function changedFiles(path: Readonly<Sum>, rest: Readonly<Sum>): readonly DigestFile[] {
	const filesOf = ({ files }: Readonly<Sum>, isActive: boolean): DigestFile[] =>
		[...files].map(([name, entryId]) => ({ path: name, entryId, isActive }));
	return [...filesOf(path, true), ...filesOf(rest, false).filter((file) => !path.files.has(file.path))];
}

/** UTF-16 units of an answer that are searched for what it leaves to be done. */
const MAX_SEARCHED = 200_000;
const FENCE = /^\s*(?:```|~~~)/;
const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[ \]\s+(.*\S)/;
const TODO = /(?:^|[^\w`])((?:TODO|FIXME)\b.*\S)/;

/** The unchecked boxes and the TODOs of a Markdown text, outside of its code. */
function leftToDo(markdown: string): readonly string[] {
	let isCode = false;
	return startOf(markdown, MAX_SEARCHED)
		.split("\n")
		.flatMap((line) => {
			if (FENCE.test(line)) isCode = !isCode;
			return isCode ? [] : (BOX.exec(line)?.[1] ?? TODO.exec(line)?.[1] ?? []);
		});
}
