import { Box } from "ink";
import type { ReactNode } from "react";
import type { PaneView } from "../src/app/model/view.ts";
import { Frame } from "./Frame.tsx";
import { Row } from "./Row.tsx";

/** A bordered box of rows. */
export function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
	return (
		<Frame box={pane} title={pane.title} position={pane.position} tone={pane.focused ? "accent" : "frame"}>
			<Box flexDirection="column">
				{pane.rows.map((row) => (
					<Row key={row.key} row={row} width={pane.width - 2} focused={pane.focused} />
				))}
			</Box>
		</Frame>
	);
}
