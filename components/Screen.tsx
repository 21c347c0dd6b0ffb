import { Box } from "ink";
import type { ReactNode } from "react";
import { useTerminalCursor } from "../hooks/use-terminal-cursor.ts";
import type { ScreenView } from "../src/app/model/view.ts";
import { Lines } from "./Lines.tsx";
import { LineText } from "./LineText.tsx";
import { Overlay } from "./Overlay.tsx";
import { Pane } from "./Pane.tsx";

/** The whole screen. */
export function Screen({ view }: { readonly view: ScreenView }): ReactNode {
	useTerminalCursor(view.cursor);
	if (view.tooSmall) return <Lines lines={view.tooSmall} />;
	return (
		<Box width={view.columns} height={view.rows}>
			<Box position="absolute" width={view.columns}>
				<LineText line={view.header} />
			</Box>
			<Box position="absolute" top={1} width={view.columns}>
				<LineText line={view.query} />
			</Box>
			{view.panes.map((pane) => (
				<Pane key={pane.id} pane={pane} />
			))}
			<Box position="absolute" top={view.rows - 1} width={view.columns}>
				<LineText line={view.footer} />
			</Box>
			{view.overlay && <Overlay overlay={view.overlay} />}
			{view.message && (
				<Box position="absolute" top={view.rows - view.message.length} width={view.columns}>
					<Lines lines={view.message} />
				</Box>
			)}
		</Box>
	);
}
