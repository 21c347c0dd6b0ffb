import { Box } from "ink";
import { type ReactNode, useContext } from "react";
import type { PaneView } from "../src/app/model/view.ts";
import { Frame } from "./Frame.tsx";
import { Row } from "./Row.tsx";
import { ThemeContext } from "./theme.ts";

/** A bordered box of rows. */
export function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
	const theme = useContext(ThemeContext);
	return (
		<Frame
			box={pane}
			title={pane.title}
			position={pane.position}
			style={pane.focused ? theme.focusedBorder : theme.border}
		>
			<Box flexDirection="column">
				{pane.rows.map((row) => (
					<Row key={row.key} row={row} width={pane.width - 2} focused={pane.focused} />
				))}
			</Box>
		</Frame>
	);
}
