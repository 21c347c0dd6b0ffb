import { Box } from "ink";
import type { ReactNode } from "react";
import { useTerminalCursor } from "../hooks/use-terminal-cursor.ts";
import type { Box as BoxOnScreen, Line, ScreenView } from "../src/app/model/view.ts";
import { span } from "../src/app/text/span.ts";
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
			{view.panes.map((pane) => (
				<Pane key={pane.id} pane={pane} />
			))}
			{view.dividers.map((box) => (
				<Divider key={box.x} box={box} />
			))}
			{view.rules.map(({ x, y, line }) => (
				<Box key={`${x},${y}`} position="absolute" left={x} top={y} width={view.columns - x}>
					<LineText line={line} />
				</Box>
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

const DIVIDER: Line = [span("│", "frame")];

/** The line between two panes. */
function Divider({ box: { x, y, height } }: { readonly box: BoxOnScreen }): ReactNode {
	return (
		<Box position="absolute" left={x} top={y} width={1} height={height}>
			<Lines lines={Array.from({ length: height }, () => DIVIDER)} />
		</Box>
	);
}
