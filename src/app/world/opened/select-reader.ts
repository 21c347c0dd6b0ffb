import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { documentFor } from "../../../conversation/document/document-for.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { layoutFor } from "../layout.ts";
import type { State } from "../state/state.ts";
import { pageMargin } from "./page.ts";
import { shownSession } from "./shown-session.ts";

/** The conversation as its pane shows it. */
export interface Reader {
	readonly document: ReaderDocument;
	/** The row at the top. */
	readonly top: Position;
	/** Rows that fit. */
	readonly height: number;
}

/** The conversation in a state; undefined while there is none, or its pane is not drawn. */
export function selectReader(state: State): Reader | undefined {
	const { reader, environment } = state;
	const box = layoutFor(state).reader;
	const session = shownSession(state.detail);
	if (box === undefined || session === undefined || reader.through === undefined || reader.anchor === undefined)
		return undefined;
	const { width, height } = box;
	const { toolsOpen, thinkingOpen, sideBySide, toggled, renderers } = reader;
	const { margin, measure } = pageMargin(state, width);
	const path = outlineOf(session).pathThrough(reader.through);
	const document = documentOf(
		session,
		path,
		measure,
		environment.home,
		margin > 1,
		toolsOpen,
		thinkingOpen,
		sideBySide,
		toggled,
		renderers,
	);
	const top = document.positionOf(reader.anchor);
	return top === undefined ? undefined : { document, top, height };
}

/** Whether the conversation has the whole screen, with a margin. */
export function isPage({ focus, zoom }: State): boolean {
	return focus === "reader" && zoom;
}

const documentOf = memoLast(
	(
		session: Session,
		path: readonly SessionEntry[],
		width: number,
		home: string,
		page: boolean,
		toolsOpen: boolean,
		thinkingOpen: boolean,
		sideBySide: boolean,
		toggled: ReadonlySet<string>,
		renderers: Renderers | undefined,
	) => {
		const options = { page, toolsOpen, thinkingOpen, sideBySide, toggled };
		return documentFor({ session, path, place: placeOf(session, home), options, renderers }, width);
	},
);
