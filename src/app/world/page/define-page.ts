import { keepMarks, type PageRow } from "../../../ui/page/page-rows.ts";
import type { Box } from "../../../ui/view.ts";
import type { AnyQuery } from "../effects/define-query.ts";
import type { PageKind } from "../state/overlays.ts";
import { type AppPane, chain, type State, type Transition, transition } from "../state/state.ts";
import { defineRows, type Marking, type RowsSpec } from "./define-rows.ts";
import { layoutWithPreview, type Page, type PageField, type PageLayout, type PagePreview } from "./page.ts";
import { type PageFinding, pageFind } from "./page-find.ts";

/** The boxes of a page; one that is undefined is not drawn. */
type PageBoxes = Readonly<Record<keyof PageLayout, Box | undefined>>;

/** What distinguishes a page; what all pages have in common comes with `definePage`. */
interface PageSpec<Row extends PageRow> extends Omit<RowsSpec<Row>, "title" | "box" | "marking"> {
	readonly kind: PageKind;
	/** Its name in the header. */
	readonly name: string;
	/** The command that opens the page, if it is one of the views. */
	readonly command?: string;
	/** The title above its rows. @default the name */
	readonly title?: RowsSpec<Row>["title"];
	/** The boxes of its parts. @default rows, and a second part of about the same size beside or below them */
	readonly layout?: (state: State) => PageBoxes;
	readonly second?: (state: State, box: Box) => AppPane;
	/** Set if that pane is the tree of the session under the cursor. */
	readonly preview?: (state: State) => PagePreview;
	readonly marking?: Marking & {
		/** The rows that keep their marks, including folded ones. @default its rows */
		readonly kept?: (state: State) => readonly PageRow[];
	};
	/** What it shows that must be read: asked for while the page is open, after its cursor was placed. @default nothing */
	readonly queries?: readonly AnyQuery[];
	/** Further steps, which come before that. */
	readonly sync?: (state: State) => Transition;
	readonly press?: Page["press"];
	/** What is typed, if that narrows its rows. @default it finds rows, see `finding` */
	readonly field?: PageField;
	readonly finding?: PageFinding<Row>;
	readonly sums?: Page["sums"];
}

/** A page: a list of rows, the pane beside it, and its queries while it is open. */
export function definePage<Row extends PageRow>(spec: PageSpec<Row>): Page {
	const { kind, name, marking, title = name, queries = [] } = spec;
	const finding = spec.field === undefined ? pageFind<Row>(kind, name, spec) : undefined;
	const boxes = spec.layout ?? (({ size }: State): PageBoxes => layoutWithPreview(size));
	const list = defineRows<Row>({
		...{ ...spec, title },
		box: (state) => boxes(state).list,
		decorate(state, pane) {
			const decorated = spec.decorate?.(state, pane) ?? pane;
			return finding?.decorate(state, decorated) ?? decorated;
		},
	});

	function place(state: State): State {
		return list.place(keepMarksOf(state));
	}

	function keepMarksOf(state: State): State {
		if (marking === undefined) return state;
		const marksBefore = marking.of(state);
		// All rows may be many more than those in sight.
		if (marksBefore.marked.size === 0) return state;
		const marks = keepMarks(marksBefore, marking.kept?.(state) ?? spec.rows(state));
		return marks === marksBefore ? state : marking.withMarks(state, marks);
	}

	return {
		...list,
		kind,
		name,
		queries,
		previewBox: (state) => boxes(state).second,
		command: spec.command,
		press: spec.press,
		field: spec.field ?? finding?.field,
		find: finding?.find,
		sums: spec.sums,
		preview: spec.preview,
		panes(state) {
			const { second } = boxes(state);
			const panes = [list.pane(state), second && spec.second?.(state, second)];
			return panes.filter((pane) => pane !== undefined).toSorted((a, b) => Number(b.focused) - Number(a.focused));
		},
		reconcile(state) {
			const placed = place(state);
			const synced = spec.sync?.(placed) ?? transition(placed);
			const [next, effects] = queries.reduce((result, { ask }) => chain(result, ask), synced);
			return [next === placed ? placed : place(next), effects];
		},
	};
}
