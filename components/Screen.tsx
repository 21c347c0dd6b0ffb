import { Box, Text } from "ink";
import { createContext, type ReactNode, useContext, useInsertionEffect } from "react";
import { paintRows, paintText } from "../src/ui/theme/theme.ts";
import type { Box as BoxOnScreen, Cell, PaneView, ScreenView } from "../src/ui/view.ts";
import { Lines, LineText, ThemeContext } from "./LineText.tsx";
import { Overlay } from "./Overlay.tsx";

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
				<Divider key={`${box.x},${box.y}`} box={box} />
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

/** The line between two panes. */
function Divider({ box: { x, y, height } }: { readonly box: BoxOnScreen }): ReactNode {
	const theme = useContext(ThemeContext);
	const line = Array.from({ length: height }, () => "│").join("\n");
	return (
		<Box position="absolute" left={x} top={y} width={1} height={height}>
			<Text>{paintText(theme, line, { tone: "frame" })}</Text>
		</Box>
	);
}

/** The rows of a pane as one text: a component for each row takes longer than everything else that a key does. */
export function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
	const theme = useContext(ThemeContext);
	const { x, y, width, height, rows, focused } = pane;
	return (
		<Box position="absolute" left={x} top={y} width={width} height={height} overflow="hidden">
			<Text>{paintRows(theme, rows.slice(0, height), width, focused)}</Text>
		</Box>
	);
}

/** Sets the cell of the terminal's own cursor in the next frame; undefined hides it. */
type SetCursor = (cell: Cell | undefined) => void;

/** Provides `SetCursor`; without a terminal it does nothing. */
export const TerminalCursor = createContext<SetCursor>(() => {});

/** Puts the terminal's own cursor, where input methods show what is being composed, on a cell; undefined hides it. */
function useTerminalCursor(cell: Cell | undefined): void {
	const setCursor = useContext(TerminalCursor);
	// The only effect that runs before Ink writes the frame.
	useInsertionEffect(() => setCursor(cell));
}
