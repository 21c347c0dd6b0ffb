import { formatCounted, formatSize, shortenHome } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import { wrapText } from "../../ui/text/wrap.ts";
import type { Line, Tone } from "../../ui/view.ts";
import { openAtDirectory } from "../features/maintenance/open-maintenance.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { placeOfRun, type ResumeRequest, type Shown } from "../model/outcome.ts";
import type { MenuItem, MenuOverlay } from "../model/overlays.ts";
import type { State } from "../model/state.ts";
import { textColumns } from "../screen/overlay-box.ts";

/** Cells of the sentences of a question: no more than can be read well. */
const SENTENCE_COLUMNS = 72;

/** A sentence of a menu's text as rows, so that none of it is cut off. */
export function sentence({ size }: State, text: string, tone: Tone = "text"): Line[] {
	const width = Math.min(SENTENCE_COLUMNS, textColumns(size.columns));
	return wrapText(sanitizeLine(text), width).map((row) => [{ text: row, tone }]);
}

/** The item that does nothing. */
export const CANCEL: MenuItem = { label: "Cancel" };

/** Asks before a session goes to the trash; names it, its size, what happens to its forks, and who may be using it. */
export function deleteMenu(state: State, shown: Shown, aboutUse: readonly Line[]): MenuOverlay {
	const { row } = shown;
	const forks = [...state.catalog.rows.values()].filter((other) => other.parentSession === row.path).length;
	const body: Line[] = [
		[strong(sessionTitle(row))],
		[span(`${formatCounted(row.messageCount, "message")}, ${formatSize(row.size)}`, "muted")],
		[span(sanitizeLine(shortenHome(row.path, state.environment.home)), "muted")],
	];
	if (forks > 0) {
		body.push([
			span(
				`${formatCounted(forks, "fork")} of it ${forks === 1 ? "stays in the list, without its" : "stay in the list, without their"} parent.`,
			),
		]);
	}
	return menu("Move this session to the trash?", [...body.slice(0, 1), ...aboutUse, ...body.slice(1)], {
		danger: true,
		index: shown.uses.length === 0 ? 0 : 1,
		items: [{ label: "Move to the trash", effect: { type: "trash", path: row.path, shown } }, CANCEL],
	});
}

/** For a session whose directory is gone: the three choices that pi offers, and where the directory may be now. */
export function missingDirectoryMenu(state: State, request: ResumeRequest): MenuOverlay {
	const { cwd, home } = state.environment;
	const here = shortenHome(cwd, home);
	return menu(
		"The session's directory does not exist",
		[[span(sanitizeLine(shortenHome(request.cwd, home)), "warning")]],
		{
			items: [
				{ label: `Resume in ${here}`, effect: { type: "resume", request: { ...request, cwd } } },
				{
					label: `Fork into ${here} and resume the fork`,
					effect: { type: "fork", path: request.path, cwd, resume: true, ...placeOfRun(request) },
				},
				{ label: "See where its project may be now", change: (now) => openAtDirectory(now, request.cwd) },
				CANCEL,
			],
		},
	);
}

/** A menu; by default its first item is highlighted. */
export function menu(
	title: string,
	body: readonly Line[],
	rest: Pick<MenuOverlay, "items"> & Partial<Pick<MenuOverlay, "index" | "danger">>,
): MenuOverlay {
	return { kind: "menu", title, body, index: 0, danger: false, ...rest };
}
