import type { SessionRow } from "../../../catalog/model/row.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { failureIn } from "../../../conversation/glance/can-resume.ts";
import { gaugeLine } from "../../../conversation/glance/gauge-line.ts";
import { goesOnFrom } from "../../../conversation/glance/goes-on-from.ts";
import { type ResumeView, resumeView } from "../../../conversation/glance/resume-view.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import { CANCEL, menu, sentence, titleRow } from "../../world/screen/menus.ts";
import { textColumns } from "../../world/screen/overlay-box.ts";
import type { ResumeRequest } from "../../world/state/outcome.ts";
import type { MenuItem, MenuOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { textItems } from "./host-menu.ts";

/** Offers the ways to create a new session from this one or from an entry of it. */
export function branchMenu(state: State, row: SessionRow, entry: SessionEntry | undefined): MenuOverlay {
	const { cwd, home } = state.environment;
	const items: MenuItem[] = [];
	const body = [titleRow(sessionTitle(row))];
	const session = shownSession(state.detail);
	// A branch is created beside its session, and nobody expects a new session in the archive.
	if (entry !== undefined && session !== undefined && row.archived !== true) {
		const { verb, mark, text } = describeRow(entry, session, placeOf(session, home));
		const words = [verb?.text, mark && `${mark.text} ·`, text].filter(Boolean).join(" ");
		body.push(titleRow(sanitizeLine(words), "muted"));
		body.push(...aboutResuming(state, "The branch", viewAt(state, entry.id)));
		const branch = { type: "branch", path: row.path, entryId: entry.id } as const;
		items.push({ label: "Branch: the path to this entry, into a new session", effect: branch });
	}
	items.push({
		label: "Fork: the whole tree, into a new session of the same project",
		effect: { type: "fork", path: row.path, cwd: row.cwd || cwd, resume: false },
	});
	if (row.cwd !== cwd) {
		items.push({
			label: `Fork here: the whole tree, into ${shortenHome(cwd, home)}`,
			effect: { type: "fork", path: row.path, cwd, resume: false },
		});
	}
	return menu("Make a new session from this one", body, { items: [...items, CANCEL] });
}

/** For Enter on an entry that is not the leaf: asks where pi should continue, with the consequences of each choice. */
export function resumeMenu(state: State, row: SessionRow, request: ResumeRequest, entry: SessionEntry): MenuOverlay {
	const session = shownSession(state.detail);
	const atLeaf = session && viewAt(state, session.tree.leafId);
	const atEntry = session && viewAt(state, goesOnFrom(session, entry.id));
	const body = [
		titleRow(sessionTitle(row)),
		...aboutResuming(state, "The leaf", atLeaf),
		...aboutResuming(state, "This entry", withoutReasonsOf(atEntry, atLeaf)),
	];
	return menu("Resume from where?", body, {
		index: fails(atLeaf) && !fails(atEntry) ? 1 : 0,
		items: [
			{ label: "From the leaf, as pi would", effect: { type: "resume", request: withWarning(request, atLeaf) } },
			{
				label: "From this entry: adds one line to the session, so that pi goes on here",
				effect: { type: "resume-from", request: withWarning(request, atEntry), entryId: entry.id },
			},
			{
				label: "Branch: the path to this entry, into a new session",
				effect: { type: "branch", path: row.path, entryId: entry.id },
			},
			...(state.environment.host === undefined ? [] : textItems(row, entry)),
			CANCEL,
		],
	});
}

function viewAt({ detail, glance, now }: State, id: string | null): ResumeView | undefined {
	const session = shownSession(detail);
	return session && resumeView(session, id, glance, now);
}

/** A view without the reasons that another one already shows; a failure is shown in both. */
function withoutReasonsOf(view: ResumeView | undefined, other: ResumeView | undefined): ResumeView | undefined {
	const shown = new Set(other?.reasons.map(({ reason }) => reason));
	return (
		view && {
			...view,
			reasons: view.reasons.filter(({ severity, reason }) => severity === "fails" || !shown.has(reason)),
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
	const line = gaugeLine({ gauge, reasons: [] }, textColumns(state.size.columns) - lineWidth([begin]));
	return [
		...(line === undefined ? [] : [[begin, ...line]]),
		...reasons.flatMap(({ reason, severity }) => sentence(state, reason, severity === "fails" ? "error" : "warning")),
	];
}
