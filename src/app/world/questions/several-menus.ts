import { keyOf } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { ChangeAllRequest } from "../../../changes/engine/change-all.ts";
import { guard, type Shown, takeable } from "../../../changes/guard/guard.ts";
import { evidenceWords } from "../../../changes/guard/guard-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { quote } from "../../../ui/text/width.ts";
import { familiesOf, runsBelow } from "../list/families.ts";
import { isHeading } from "../list/headings.ts";
import { selectList } from "../list/select-list.ts";
import { selectTidying } from "../list/tidy-groups.ts";
import { CANCEL, menu, sentence, subjectRow, titleRow } from "../screen/menus.ts";
import type { MenuItem, MenuOverlay, PromptOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** Sessions named in a question about many. */
const MAX_NAMED = 4;

/** The sessions that a question is about. */
interface Checked {
	/** The sessions to delete. */
	readonly free: readonly Shown[];
	/** Those that are left out, with the evidence that they are in use. */
	readonly inUse: readonly { readonly row: SessionRow; readonly why: string }[];
	/** How many of `free` may be in use. */
	readonly possible: number;
}

/** Further lines about the sessions to delete. */
type About = (state: State, going: readonly SessionRow[]) => readonly Line[];

/** Asks before several sessions go to the trash: how many, how large, which are in use and stay, and what happens to forks. */
export function deleteAllQuestion(state: State, rows: readonly SessionRow[], about: About = hiddenLines): MenuOverlay {
	const checked = checkUse(state, rows);
	const { free, inUse, possible } = checked;
	const going = free.map(({ row }) => row);
	const notes = about(state, going);
	const said = notes.flatMap((line) => line.map(({ text }) => text)).join(" ");
	const runs = freeRuns(state, going);
	const shown = [...free, ...runs].map(({ row, uses }) => [row.path, row.size, ...uses.map(keyOf)].join(" "));
	const facts = [shown, inUse.length, said].join("\n");
	const question = { facts, ask: (now: State) => askAgain(now, rows, about) };
	if (free.length === 0) {
		const body = [...inUseLines(state, checked), ...namesOf(rows)];
		const title = `In use: none of these ${formatCounted(rows.length, "session")} is deleted`;
		return { ...menu(title, body, { danger: true, items: [{ label: "Close" }] }), question };
	}
	const whom = formatCounted(free.length, "session");
	// A small terminal cuts the end of this.
	const body = [sumLine(going), ...inUseLines(state, checked), ...notes, ...forkLines(state, going), ...namesOf(going)];
	const trash = { type: "change-all", change: { type: "trash" }, sessions: free } as const;
	const [them, their] = free.length === 1 ? ["it", "its"] : ["them", "their"];
	const withRuns = `Move ${them} and ${their} ${runs.length === 1 ? "run" : formatCounted(runs.length, "run")} to the trash`;
	const items: readonly MenuItem[] = [
		{ label: `Move ${whom} to the trash`, effect: trash },
		...(runs.length === 0 ? [] : [{ label: withRuns, effect: { ...trash, sessions: [...free, ...runs] } }]),
		CANCEL,
	];
	const deletion = menu(`Move ${whom} to the trash?`, body, {
		danger: true,
		index: possible === 0 ? 0 : items.length - 1,
		items,
	});
	return { ...deletion, question };
}

/** The runs below these sessions that are not among them and not in use. */
function freeRuns({ catalog: { rows, live } }: State, going: readonly SessionRow[]): readonly Shown[] {
	const families = familiesOf(rows);
	const runs = new Set(going.flatMap((row) => runsBelow(row, families))).difference(new Set(going));
	return takeable([...runs], live);
}

/** The question after something has changed, with Cancel highlighted. */
function askAgain(state: State, before: readonly SessionRow[], about: About): MenuOverlay {
	const rows = before.flatMap(({ path }) => state.catalog.rows.get(path) ?? []);
	if (rows.length === 0)
		return menu("Nothing is done", sentence(state, "They are no longer there."), { items: [CANCEL] });
	const asked = deleteAllQuestion(state, rows, about);
	const changed = sentence(state, "This has changed since you were asked.", "warning");
	return { ...asked, body: [...changed, ...asked.body], index: asked.items.length - 1 };
}

function checkUse({ catalog: { live }, now }: State, rows: readonly SessionRow[]): Checked {
	const free: Shown[] = [];
	const inUse: { readonly row: SessionRow; readonly why: string }[] = [];
	for (const row of rows) {
		const { decision, uses } = guard("take", live, row);
		if (decision === "refuse") inUse.push({ row, why: evidenceWords(uses, now) });
		else free.push({ row, uses });
	}
	return { free, inUse, possible: free.filter(({ uses }) => uses.length > 0).length };
}

/** Size and number of messages of the sessions to delete. */
function sumLine(rows: readonly SessionRow[]): Line {
	const bytes = rows.reduce((sum, { size }) => sum + size, 0);
	const messages = rows.reduce((sum, { messageCount }) => sum + messageCount, 0);
	return [span(`${formatSize(bytes)}, ${formatCounted(messages, "message")}`, "muted")];
}

function hiddenLines(state: State, rows: readonly SessionRow[]): Line[] {
	const shown = new Set(selectList(state).items.flatMap((item) => (isHeading(item) ? [] : [item.row.path])));
	const hidden = rows.filter(({ path }) => !shown.has(path)).length;
	if (hidden === 0) return [];
	return sentence(state, `${formatCount(hidden)} of them ${hidden === 1 ? "is" : "are"} not in sight.`, "warning");
}

/** Warns before sessions are deleted that nothing proposes. */
export function deletionWarnings(state: State, going: readonly SessionRow[]): Line[] {
	const proposed = new Set(selectTidying(state).sessions.map(({ row }) => row.path));
	const others = going.filter(({ path }) => !proposed.has(path)).length;
	return others === 0 ? [] : sentence(state, `${formatCount(others)} of them would no longer be listed.`, "warning");
}

/** "Lexer", "Parser", "and 10 more", one row each. */
function namesOf(rows: readonly SessionRow[]): Line[] {
	const named = rows.length <= MAX_NAMED + 1 ? rows : rows.slice(0, MAX_NAMED);
	const rest = rows.length - named.length;
	const lines: Line[] = named.map((row) => titleRow(sessionTitle(row)));
	return rest === 0 ? lines : [...lines, [span(`and ${formatCount(rest)} more`, "muted")]];
}

/** What happens to forks and to runs of subagents that are not deleted. */
function forkLines(state: State, rows: readonly SessionRow[]): Line[] {
	const going = new Set(rows.map(({ path }) => path));
	let forks = 0;
	for (const { path, parentSession, run } of state.catalog.rows.values())
		if (run === undefined && parentSession !== undefined && going.has(parentSession) && !going.has(path)) forks += 1;
	const families = familiesOf(state.catalog.rows);
	const runs = new Set(rows.flatMap((row) => runsBelow(row, families)).filter(({ path }) => !going.has(path))).size;
	const lines: Line[] = [];
	if (forks > 0) {
		const stay = forks === 1 ? "stays in the list, without its parent" : "stay in the list, without their parents";
		lines.push(...sentence(state, `${formatCounted(forks, "fork")} of ${rows.length === 1 ? "it" : "them"} ${stay}.`));
	}
	if (runs > 0) {
		const stay = runs === 1 ? "stays in the list on its own" : "stay in the list on their own";
		lines.push(...sentence(state, `${formatCounted(runs, "run")} of subagents ${stay}.`));
	}
	return lines;
}

function inUseLines(state: State, { inUse, possible }: Checked): Line[] {
	const lines: Line[] = [];
	if (inUse.length > 0) {
		const which = inUse.length === 1 ? "1 is in use and is" : `${formatCount(inUse.length)} are in use and are`;
		lines.push(...sentence(state, `${which} left out:`, "warning"));
		for (const { row, why } of inUse.slice(0, MAX_NAMED))
			lines.push(...sentence(state, `${quote(sessionTitle(row))}: ${why}`, "warning"));
		if (inUse.length > MAX_NAMED) lines.push([span(`and ${formatCount(inUse.length - MAX_NAMED)} more`, "muted")]);
	}
	if (possible > 0) {
		const which = possible === 1 ? "1 of them" : `${formatCount(possible)} of them`;
		const text = `${which} may be in use: a pi runs in the directory; which session it has open cannot be seen.`;
		lines.push(...sentence(state, text, "warning"));
	}
	return lines;
}

/** Asks in which form the conversations of sessions are saved, each from its first prompt to where it goes on. */
export function shareMenu(state: State, rows: readonly SessionRow[]): MenuOverlay {
	const isOne = rows.length === 1;
	const families = familiesOf(state.catalog.rows);
	const family = [...new Set(rows.flatMap((row) => [row, ...runsBelow(row, families)]))];
	const runs = family.length - rows.length;
	const withRuns = (what: string, to: "html" | "markdown"): MenuItem => ({
		label: `Save with ${formatCounted(runs, "run")} as ${what}`,
		effect: { type: "share-sessions", rows: family, to },
	});
	const body = [...namesOf(rows), ...shareNotes(state, isOne ? "file" : "directory")];
	return menu(isOne ? "Save or share" : `Save or share ${formatCounted(rows.length, "session")}`, body, {
		items: [
			{
				label: isOne ? "Save as a web page" : "Save as web pages",
				effect: { type: "share-sessions", rows, to: "html" },
			},
			{ label: "Save as Markdown", effect: { type: "share-sessions", rows, to: "markdown" } },
			...(runs === 0 ? [] : [withRuns("web pages", "html"), withRuns("Markdown", "markdown")]),
			...(isOne
				? [{ label: "Copy as Markdown", effect: { type: "share-sessions", rows, to: "clipboard" } } as const]
				: []),
		],
	});
}

/** Where shared files are saved, and that they have to be read before they are handed on. */
export function shareNotes(state: State, what: "file" | "directory" = "file"): readonly Line[] {
	const { cwd, savesTo = cwd, home } = state.environment;
	const where = shortenHome(savesTo, home);
	const place =
		what === "file" ? `Files go to ${where}, under a free name.` : `Files go to a new directory in ${where}.`;
	const masked =
		"Keys, passwords, mail addresses and your home directory are masked by form: read it before you share it.";
	return [...sentence(state, place, "muted"), ...sentence(state, masked, "muted")];
}

/** Asks for a label for the end of each of these sessions. */
export function labelEndsPrompt(rows: readonly SessionRow[]): PromptOverlay {
	return {
		kind: "prompt",
		title: rows.length === 1 ? "Label the end of the session" : "Label the end of each session",
		body: [subjectRow(rows), [span("The entry at which pi goes on gets it. Empty removes the label there.", "muted")]],
		value: editedText(""),
		submit: { type: "label-ends", rows },
	};
}

/** The change that labels the ends of these sessions. */
export function labelEnds(rows: readonly SessionRow[], label: string): ChangeAllRequest {
	return { type: "change-all", change: { type: "label", label }, sessions: rows.map((row) => ({ row, uses: [] })) };
}
