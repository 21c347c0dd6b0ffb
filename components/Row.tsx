import { Box, Text } from "ink";
import { memo, type ReactNode } from "react";
import type { Line, RowView } from "../src/app/model/view.ts";
import { LineText } from "./LineText.tsx";

interface RowProps {
	readonly row: RowView;
	/** Cells to fill. */
	readonly width: number;
	/** Whether its pane has the focus: only there the row under the cursor is inverted. */
	readonly focused: boolean;
}

/** One row of a pane, with the bar of the cursor over its whole width. Redrawn only when it changes. */
export const Row = memo(DrawnRow, sameRow);

function DrawnRow({ row, width, focused }: RowProps): ReactNode {
	if (!row.selected || !focused) {
		return (
			<Box width={width} height={1}>
				<LineText line={row.line} bold={row.selected} />
			</Box>
		);
	}
	return (
		<Box width={width} height={1}>
			<Box position="absolute">
				<Text inverse>{" ".repeat(width)}</Text>
			</Box>
			<LineText line={row.line} inverted />
		</Box>
	);
}

function sameRow(before: RowProps, after: RowProps): boolean {
	return (
		before.width === after.width &&
		before.focused === after.focused &&
		before.row.selected === after.row.selected &&
		sameLine(before.row.line, after.row.line)
	);
}

function sameLine(before: Line, after: Line): boolean {
	if (before === after) return true;
	return (
		before.length === after.length &&
		before.every((span, index) => {
			const other = after[index];
			return other?.text === span.text && other.tone === span.tone && other.bold === span.bold;
		})
	);
}
