import { Box } from "ink";
import type { ReactNode } from "react";
import type { PaneView } from "../src/app/model/view.ts";
import { Row } from "./Row.tsx";

/** The rows of a pane. */
export function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
	const { x, y, width, height } = pane;
	return (
		<Box position="absolute" left={x} top={y} width={width} height={height} flexDirection="column">
			{pane.rows.map((row) => (
				<Row key={row.key} row={row} width={width} focused={pane.focused} />
			))}
		</Box>
	);
}
