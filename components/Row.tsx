import { Box } from "ink";
import type { ReactNode } from "react";
import type { RowView } from "../src/app/model/view.ts";
import { LineText } from "./LineText.tsx";

interface RowProps {
	readonly row: RowView;
	/** Cells to fill. */
	readonly width: number;
	/** Whether its pane has the focus: only there the row under the cursor has the bar of the cursor. */
	readonly focused: boolean;
}

/** One row of a pane, with its ground over its whole width. */
export function Row({ row, width, focused }: RowProps): ReactNode {
	const cursor = focused ? "cursor" : "cursor-beside";
	return (
		<Box width={width} height={1}>
			<LineText line={row.line} ground={row.selected ? cursor : row.ground} width={width} />
		</Box>
	);
}
