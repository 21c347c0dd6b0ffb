import type { Comment } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type * as changes from "../../../changes/answer.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { ShownLines } from "../../../edits/shown-lines.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import type { Candidate } from "../../../ui/field/typing.ts";
import type { Line } from "../../../ui/text/line.ts";
import type { Effect, ResumeRequest } from "./effect.ts";
import type { State, Transition } from "./state.ts";

/** An item of a menu: it changes the state or runs an effect; with neither it only closes the menu. */
export interface MenuItem {
	readonly label: string;
	/** What else it is called, separated by commas. */
	readonly synonyms?: string;
	/** Set for a check box: whether it is checked. Space toggles it, and the menu stays open. */
	readonly checked?: boolean;
	/** Set for what may have no room on the screen: whether it has. */
	readonly hasRoom?: (state: State) => boolean;
	readonly change?: (state: State) => State;
	readonly effect?: Effect;
}

export interface MenuOverlay {
	readonly kind: "menu";
	readonly title: string;
	readonly body: readonly Line[];
	readonly items: readonly MenuItem[];
	/** What is typed: only the items that it names are shown. */
	readonly query: EditedText;
	/** The highlighted one of the shown items. */
	readonly index: number;
	/** The item that is highlighted when the menu opens, and again when the typed text is deleted. */
	readonly initialIndex: number;
	/** What the check boxes say was chosen before the first one was toggled: escape brings it back. */
	readonly listBefore?: State["list"];
	/** Whether the menu is drawn as a warning. */
	readonly danger: boolean;
	/** Set for a question about something that may change while the menu is open. */
	readonly question?: OpenQuestion;
}

/** What an effect asks the person before it continues. */
export type EffectQuestion = changes.Question<Effect>;

/** How to keep an open question up to date. */
interface OpenQuestion {
	/** Everything that it depends on, as text for comparison. */
	readonly facts: string;
	readonly ask: (state: State) => EffectQuestion;
}

export interface PromptOverlay {
	readonly kind: "prompt";
	readonly title: string;
	readonly body: readonly Line[];
	readonly value: EditedText;
	/** What Enter does with the text, without the blanks around it, once the prompt is closed. */
	readonly submit: (state: State, text: string) => Transition;
	readonly completion?: PromptCompletion;
	readonly destination?: Destination;
	/** Whether the text may have several lines. */
	readonly isLong?: true;
	/** For a comment: what it may be on instead. */
	readonly comments?: CommentRange;
}

/** Lines that can be commented on: of a file, or of what an entry says. */
export interface CommentLines {
	/** Absolute path of the file; undefined for what was said. */
	readonly path: string | undefined;
	/** The paths that the file had, with this one. @default only this one */
	readonly names?: readonly string[];
	readonly lines: readonly DiffLine[];
	/** The entry that shows a line: for one that was added or removed, the step that did it. */
	readonly entryOf: (line: DiffLine) => string;
}

/** The lines that a comment is on, by the indices of the one with which it began, and of the last one chosen, above or below that. */
export interface CommentRange {
	readonly asked: CommentLines;
	readonly at: number;
	readonly to: number;
	/** The comment that is there. */
	readonly present: Comment | undefined;
}

/** What the text before the cursor of a prompt can be completed to. */
export interface PromptCompletion {
	/** The likeliest first. */
	readonly candidates: (state: State, field: EditedText) => readonly Candidate[];
	readonly wordsOf: (candidate: Candidate) => string;
	/** Why there is no candidate, as a sentence. */
	readonly nothing: string;
}

export type Destination =
	/** Forks of these sessions go there, and with `archives` the originals into the archive. */
	| { readonly rows: readonly SessionRow[]; readonly archives: boolean }
	/** A copy of this session of another place goes there. */
	| { readonly bring: SessionRow }
	/** A session whose own directory is gone is resumed there. */
	| { readonly resume: ResumeRequest };

export interface CommandsOverlay {
	readonly kind: "palette";
	readonly query: EditedText;
	/** The highlighted one of the shown commands, and its id: another command may appear above it. */
	readonly index: number;
	readonly highlighted?: string | undefined;
	/** First visible row, from 0: a click does not change it, so that the clicked row stays under the pointer. */
	readonly top: number;
}

export interface ProjectsOverlay {
	readonly kind: "projects";
	readonly query: EditedText;
	/** The highlighted one of the shown projects. */
	readonly index: number;
}

/** A page of text over the panes: what can be searched for, the keys, or what a program has printed. */
export interface HelpOverlay {
	readonly kind: "help";
	readonly page: "query" | "keys" | "output";
	/** Only rows with these words are shown. */
	readonly query: EditedText;
	/** The first visible row, from 0. */
	readonly top: number;
	/** The row with the sign that was chosen. */
	readonly sign?: number | undefined;
	/** For "output": a text that was made, or what a program has printed, under its name. */
	readonly output?: { readonly title: string; readonly text: string; readonly isMarkdown?: true };
}

/** Where the lines of the box are on the screen. */
export interface BlameSource {
	/** The state in which the line is in sight, with the cursor on it if there is one. */
	readonly show: (state: State, line: DiffLine) => State;
	/** Its row on the screen, from 0; undefined if it is out of sight. */
	readonly rowOf: (state: State, line: DiffLine) => number | undefined;
}

/** The box that says who wrote a line of a file (`openBlame`). */
export interface BlameOverlay {
	readonly kind: "blame";
	/** What is asked for: the same object while the box is open. */
	readonly asked: ShownLines;
	/** Index of the line that it is about. */
	readonly at: number;
	/** Index of the session that enter goes to, where several may have written it. */
	readonly candidate: number;
	readonly source: BlameSource;
}

/** An overlay of rows, of which one is highlighted, with a field that narrows them. */
export type ChoiceOverlay = MenuOverlay | CommandsOverlay | ProjectsOverlay;

export function isChoice(overlay: Overlay | undefined): overlay is ChoiceOverlay {
	return overlay !== undefined && "index" in overlay;
}

export type Overlay =
	| MenuOverlay
	| PromptOverlay
	| HelpOverlay
	| CommandsOverlay
	| ProjectsOverlay
	| BlameOverlay
	| PageOverlay;

export function openOverlay(state: State, overlay: Overlay): State {
	return { ...state, overlays: [...state.overlays, overlay] };
}

/** Opens a page of text; `output`: the output of a program, if the page shows that. */
export function openHelp(state: State, page: HelpOverlay["page"], output?: HelpOverlay["output"]): State {
	return openOverlay(state, { kind: "help", page, query: editedText(""), top: 0, ...(output && { output }) });
}

/** `openOverlay` as a transition, with effects. */
export function withOverlay(state: State, overlay: Overlay, ...effects: readonly Effect[]): Transition {
	return [openOverlay(state, overlay), effects];
}

export function closeOverlay(state: State): State {
	return { ...state, overlays: state.overlays.slice(0, -1) };
}

export function topOverlay(state: State): Overlay | undefined {
	return state.overlays.at(-1);
}

export function replaceTop(state: State, overlay: Overlay): State {
	return { ...state, overlays: [...state.overlays.slice(0, -1), overlay] };
}

/**
 * The pages that replace the panes: each feature with one adds its kind.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Pages {}

export type PageKind = keyof Pages;

/** An open page; its state is in the slice of its feature. */
interface PageOverlay {
	readonly kind: PageKind;
	readonly isPage: true;
}

export function isPage(overlay: { readonly kind: string } | undefined): overlay is PageOverlay {
	return overlay !== undefined && "isPage" in overlay;
}

export function pageOf({ overlays }: State): PageKind | undefined {
	return overlays.findLast(isPage)?.kind;
}

/** The open pages, the topmost last. */
export function pagesOf({ overlays }: State): readonly PageKind[] {
	return overlays.filter(isPage).map(({ kind }) => kind);
}

export function closePage(state: State, kind: PageKind): State {
	return { ...state, overlays: state.overlays.filter((overlay) => overlay.kind !== kind) };
}
