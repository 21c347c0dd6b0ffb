import type { ComparedEnd } from "../../../conversation/branches/compare-ends.ts";
import { entryKind } from "../../../conversation/entries/entry-kind.ts";
import { spanAround } from "../../../conversation/entries/entry-span.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { ChangeSpan } from "../../../edits/session-changes.ts";
import { basename } from "../../../shared/paths.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type Key, onSelected, whyOnlyRead } from "../../world/keys/key.ts";
import { quotedWords } from "../../world/opened/quote-entry.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { rowsForFiles } from "../../world/screen/menus.ts";
import { pageOf } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { nameOfEnd } from "./compare-page.ts";
import { COMPARISON, type EndIndex, selectComparison } from "./compare-state.ts";
import { selectedFile } from "./difference-page.ts";
import type { FileDifference } from "./effects/compare-effects.ts";

/** What is put into the files as they are now. */
interface Put {
	readonly session: Session;
	readonly span: ChangeSpan;
	/** What the person knows it by. */
	readonly title: string;
	/** The session into whose directory it goes. */
	readonly into: Session;
	/** Absolute paths of the only files that are meant. @default all */
	readonly names?: readonly string[];
}

const WORDS = "apply, redo, pick, merge, take over";

// biome-ignore format: a table
export const PUT_BRANCH_KEYS: readonly Key[] = [
	{ id: "put-branch", name: "Put what this branch changed here…", synonyms: WORDS, keys: [], contexts: ["tree", "reader", "branches"], acts: "entry", help: "put what the branch under the cursor changed since it left the active path into the files as they are now, after a preview",
		...onSelected(entryOnBranch, "Move to a branch that was left", putBranch, ({ detail: { row } }) => row && whyOnlyRead(row)) },
];

// biome-ignore format: a table
export const PUT_END_KEYS: readonly Key[] = ([0, 1] as const).map((at) => (
	{ id: at === 0 ? "put-first" : "put-second", name: `Put what the ${at === 0 ? "first" : "second"} changed here…`, about: putWords, synonyms: WORDS, keys: [], contexts: ["comparison", "difference"], when: (state: State) => sideNow(state) === at, short: (state: State) => `put ${nameOfEnd(state, at)} here`,
		help: "put what the one under the cursor changed since the two parted, or what it changed in this file, into the files as they are now, after a preview",
		...onSelected(selectPut, "The two are still being read", putHere, whyNotHere) }
));

function entryOnBranch(state: State): SessionEntry | undefined {
	const { session } = state.detail;
	const entry = entryUnderCursor(state);
	return session === undefined || entry === undefined || outlineOf(session).isActive(entry.id) ? undefined : entry;
}

function putBranch(state: State, entry: SessionEntry): Transition {
	const { session, row } = state.detail;
	if (session === undefined || row === undefined) return transition(state);
	const { from, to = entry.id, ids } = spanAround(session, "branch", entry.id);
	const entries = [...ids].flatMap((id) => session.tree.byId.get(id) ?? []);
	const title = promptIn(state, session, entries) || sessionTitle(row);
	return putHere(state, { session, span: { from, to }, title, into: session });
}

function endAt(state: State, side: EndIndex): Put | undefined {
	const comparison = selectComparison(state);
	if (comparison === undefined) return undefined;
	const [end, other] = [comparison.ends[side], comparison.ends[side === 0 ? 1 : 0]];
	const { session, entryId: to, rest } = end;
	const span = { from: rest[0] && session.tree.parentOf.get(rest[0].id), to };
	return { session, span, title: titleOf(state, end, other), into: other.session };
}

/** The end under the cursor of the comparison; on its files, the only one that changed the file. */
function sideNow(state: State): EndIndex {
	const { side } = COMPARISON.of(state);
	const edits = fileHere(state)?.edits;
	return edits?.[side].length === 0 ? (side === 0 ? 1 : 0) : side;
}

function fileHere(state: State): FileDifference | undefined {
	return pageOf(state) === "difference" ? selectedFile(state) : undefined;
}

function selectPut(state: State): Put | undefined {
	const side = sideNow(state);
	const end = endAt(state, side);
	const names = fileHere(state)?.edits[side].map(({ path }) => path);
	return end && { ...end, ...(names && { names }) };
}

function putWords(state: State): string | undefined {
	const put = selectPut(state);
	return put?.names === undefined ? put?.title : basename(put.names[0] ?? "");
}

/** The title of a session that is compared with another one, the first prompt of a branch since the two parted. */
function titleOf(state: State, { session, rest }: ComparedEnd, other: ComparedEnd): string {
	const row = state.catalog.rows.get(session.path);
	const prompt = session.path === other.session.path ? promptIn(state, session, rest) : "";
	return prompt || (row === undefined ? session.path : sessionTitle(row));
}

function promptIn(state: State, session: Session, entries: readonly SessionEntry[]): string {
	const prompt = entries.find((entry) => entryKind(entry) === "prompt");
	return prompt === undefined ? "" : quotedWords(state, session, prompt);
}

function whyNotHere({ catalog: { rows } }: State, { session, into }: Put): string | undefined {
	return [session, into].flatMap(({ path }) => rows.get(path) ?? []).map(whyOnlyRead)[0];
}

function putHere(state: State, put: Put): Transition {
	const { rows } = state.catalog;
	return transition(state, { type: "plan-apply", ...put, others: [...rows.values()], rows: rowsForFiles(state) });
}
