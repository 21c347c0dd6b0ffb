import type { SessionRow } from "../../../catalog/model/row.ts";
import { goesOnFrom, isLeaf } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { failureIn } from "../../../conversation/glance/can-resume.ts";
import { gaugeForms, type ResumeView, resumeView } from "../../../conversation/glance/resume-view.ts";
import { projectKey } from "../../../shared/paths.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { quoteEntry } from "../../world/opened/quote-entry.ts";
import { piAnswer } from "../../world/opened/summed-session.ts";
import { CANCEL, menu, sentence, textColumns, titleRow } from "../../world/screen/menus.ts";
import type { ResumeRequest } from "../../world/state/effect.ts";
import type { MenuItem, MenuOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import {
	answerBelow,
	BRANCH_LABEL,
	beforeLabel,
	FILES_LABEL,
	filesPlan,
	GO_ON_TITLE,
	isSaidAgain,
	leafLabel,
	quotedRow,
	rewindItem,
} from "./go-on-words.ts";
import { type GoOnPurpose, textItems } from "./host-keys.ts";

/** For a branch from the list: the whole session is copied, or with `hit` its path up to what a search has found. */
export function branchMenu(state: State, row: SessionRow, hit: SessionEntry | undefined): MenuOverlay {
	const session = state.detail.session;
	// A branch is created beside its session, and nobody expects a new session in the archive.
	const isOffered = hit !== undefined && session !== undefined && row.archived !== true;
	const upToHit: MenuItem[] = isOffered
		? [
				{
					label: `Only up to the hit ${quoteEntry(state, session, hit)}`,
					effect: { type: "branch", path: row.path, entryId: hit.id },
				},
			]
		: [];
	return menu("Make a new session from this one", [titleRow(sessionTitle(row))], {
		items: [...forkItems(state, row), ...upToHit, CANCEL],
	});
}

/** The items that copy the whole session: beside it, and into the directory of the browser. */
function forkItems({ environment: { cwd, home } }: State, { path, cwd: directory }: SessionRow): MenuItem[] {
	const fork = { type: "fork", path } as const;
	const beside = { label: "Copy the whole session, in the same project", effect: { ...fork, cwd: directory || cwd } };
	const here = { label: `Copy the whole session, into ${shortenHome(cwd, home)}`, effect: { ...fork, cwd } };
	return projectKey(directory) === projectKey(cwd) ? [beside] : [beside, here];
}

/** Asks where to continue: at the entry under the cursor, in a new session that ends there, or at the leaf. */
export function goOnMenu(
	state: State,
	row: SessionRow,
	request: ResumeRequest,
	entry: SessionEntry,
	purpose: GoOnPurpose,
): MenuOverlay {
	const session = state.detail.session;
	if (session === undefined) return branchMenu(state, row, undefined);
	const warnedRequest = withWarning(request, viewAt(state, session, goesOnFrom(session, entry.id)));
	const { items: onward, goesToLeaf } = onwardItems(state, session, { request, warnedRequest }, entry);
	const withFiles: MenuItem = { label: FILES_LABEL, effect: filesPlan(state, row, session, entry, request.inWindow) };
	const branch: MenuItem = { label: BRANCH_LABEL, effect: { type: "branch", path: row.path, entryId: entry.id } };
	const atLeaf = viewAt(state, session, session.tree.leafId);
	const atEntry = viewAt(state, session, goesOnFrom(session, entry.id));
	// Who looks at branches has chosen one, and the leaf is the end of another.
	const leaf = goesToLeaf || state.focus === "branches" ? undefined : leafLabel(state, session, "Continue at the end");
	const leafItems: MenuItem[] =
		leaf === undefined ? [] : [{ label: leaf, effect: { type: "resume", request: withWarning(request, atLeaf) } }];
	const isBranching = purpose === "branch";
	const items = [
		...onward,
		withFiles,
		...rewindItem(state, row, session, entry, { type: "resume-from", request: warnedRequest, entryId: entry.id }),
		branch,
		...(isBranching ? forkItems(state, row) : []),
		...leafItems,
		...(state.environment.host === undefined ? [] : textItems(row, entry)),
		CANCEL,
	];
	const body = [
		quotedRow(state, session, entry),
		...aboutResuming(state, "Here", atEntry),
		...(leaf === undefined ? [] : aboutResuming(state, "The end", withoutReasonsOf(atLeaf, atEntry))),
	];
	const first = leaf !== undefined && fails(atEntry) && !fails(atLeaf) ? items.indexOf(leafItems[0] ?? CANCEL) : 0;
	return menu(GO_ON_TITLE, body, { index: isBranching ? items.indexOf(branch) : first, items });
}

/** The items that make pi continue at an entry, and whether one of them is the leaf. */
function onwardItems(
	state: State,
	session: Session,
	{ request, warnedRequest }: Readonly<Record<"request" | "warnedRequest", ResumeRequest>>,
	entry: SessionEntry,
): { readonly items: readonly MenuItem[]; readonly goesToLeaf: boolean } {
	const fromHere = (label: string): MenuItem => ({
		label,
		effect: { type: "resume-from", request: warnedRequest, entryId: entry.id },
	});
	if (!isSaidAgain(session, entry)) {
		if (isLeaf(session, entry.id))
			return {
				items: [{ label: "Continue from here, the end", effect: { type: "resume", request: warnedRequest } }],
				goesToLeaf: true,
			};
		const where = state.focus === "branches" ? "its end" : "here";
		return { items: [fromHere(`Continue from ${where}: adds one line to the session`)], goesToLeaf: false };
	}
	const isInPi = state.environment.host !== undefined && request.inWindow === undefined;
	const beforeItem = fromHere(beforeLabel(entry, isInPi ? "pi's editor" : "the clipboard"));
	const answer = answerBelow(session, entry);
	if (answer === undefined) return { items: [beforeItem], goesToLeaf: false };
	// The dialog does not show warnings about that entry, so they are asked when it is chosen.
	const goesToLeaf = isLeaf(session, answer.id);
	const below: MenuItem = goesToLeaf
		? { label: "Continue after its answer, at the end", effect: { type: "resume", request } }
		: { label: "Continue after its answer", effect: { type: "resume-from", request, entryId: answer.id } };
	return { items: [beforeItem, below], goesToLeaf };
}

function viewAt(state: State, session: Session, id: string | null): ResumeView | undefined {
	return resumeView(session, id, piAnswer(state), state.now);
}

/** A view without the reasons that another one already shows; a failure is shown in both. */
function withoutReasonsOf(view: ResumeView | undefined, other: ResumeView | undefined): ResumeView | undefined {
	const otherReasons = new Set(other?.reasons.map(({ reason }) => reason));
	return (
		view && {
			...view,
			reasons: view.reasons.filter(({ severity, reason }) => severity === "fails" || !otherReasons.has(reason)),
		}
	);
}

/** Marks a failure that the menu has shown, so that the resume does not ask again. */
function withWarning(request: ResumeRequest, view: ResumeView | undefined): ResumeRequest {
	return fails(view) ? { ...request, isWarned: true } : request;
}

function fails(view: ResumeView | undefined): boolean {
	return failureIn(view?.reasons ?? []) !== undefined;
}

/** How full the context is and what the next turn costs, then the reasons against resuming there. */
function aboutResuming(state: State, name: string, view: ResumeView | undefined): Line[] {
	if (view === undefined) return [];
	const { gauge, reasons } = view;
	const begin = span(`${name}: `, "muted");
	const room = textColumns(state.size.columns) - lineWidth([begin]);
	const line = gaugeForms(gauge).find((form) => lineWidth(form) <= room);
	return [
		...(line === undefined ? [] : [[begin, ...line]]),
		...reasons.flatMap(({ reason, severity }) => sentence(state, reason, severity === "fails" ? "error" : "warning")),
	];
}
