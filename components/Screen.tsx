import { Box, Text } from "ink";
import SelectInput, { type IndicatorProps, type ItemProps } from "ink-select-input";
import { createContext, type ReactNode, useContext, useInsertionEffect } from "react";
import { type Line, span, type Tone } from "../src/ui/text/line.ts";
import { blanks, type CleanText } from "../src/ui/text/sanitize.ts";
import { createTheme, paintLine, paintRows, paintText, type Theme } from "../src/ui/theme/theme.ts";
import type {
	Box as BoxOnScreen,
	Cell,
	MenuView,
	OverlayView,
	PaneView,
	PromptView,
	ScreenView,
} from "../src/ui/view.ts";

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

const NO_POSITION = blanks(0);

/** A framed overlay above the panes, with its hint in the last row. */
function Overlay({ overlay }: { readonly overlay: OverlayView }): ReactNode {
	const danger = overlay.kind === "menu" && overlay.danger;
	return (
		<Frame
			box={overlay}
			title={overlay.title}
			position={overlay.kind === "help" ? overlay.position : NO_POSITION}
			tone={danger ? "error" : "accent"}
		>
			<Box flexDirection="column" flexGrow={1} justifyContent="space-between" paddingX={1}>
				<Box flexDirection="column">
					<Lines lines={overlay.body} />
					{overlay.kind === "menu" && <Menu key={overlay.index} menu={overlay} />}
					{overlay.kind === "prompt" && <Prompt prompt={overlay} />}
				</Box>
				<LineText line={overlay.hint} />
			</Box>
		</Frame>
	);
}

/**
 * The items of a small fixed menu. `SelectInput` only draws them: it would lose keys that arrive together, so these keys go
 * through the keymap like all others. It reads its index only once, so this component needs a React key per index.
 */
export function Menu({ menu }: { readonly menu: MenuView }): ReactNode {
	return (
		<SelectInput
			items={menu.items.map((label, index) => ({ label, value: index }))}
			isFocused={false}
			initialIndex={menu.index}
			indicatorComponent={MenuMark}
			itemComponent={MenuItem}
		/>
	);
}

function MenuMark({ isSelected = false }: IndicatorProps): ReactNode {
	const theme = useContext(ThemeContext);
	return (
		<Box flexShrink={0}>
			<Text>{paintText(theme, isSelected ? "› " : "  ", { tone: "accent" })}</Text>
		</Box>
	);
}

function MenuItem({ isSelected = false, label }: ItemProps): ReactNode {
	const theme = useContext(ThemeContext);
	return <Text wrap="truncate">{isSelected ? paintText(theme, label, { bold: true }, "cursor") : label}</Text>;
}

const UNDERLINED = { underline: true };

function Prompt({ prompt }: { readonly prompt: PromptView }): ReactNode {
	const theme = useContext(ThemeContext);
	return (
		<Box height={1}>
			<Box position="absolute">
				<Text>{paintText(theme, " ".repeat(prompt.fieldWidth), UNDERLINED)}</Text>
			</Box>
			<Text wrap="truncate">{paintText(theme, prompt.text, UNDERLINED, prompt.isSelected ? "cursor" : undefined)}</Text>
		</Box>
	);
}

interface FrameProps {
	readonly box: BoxOnScreen;
	/** Drawn in the top border. */
	readonly title: Line;
	/** Drawn at the right end of the bottom border; "" for none. */
	readonly position: CleanText;
	/** Tone of the border and the position. */
	readonly tone: Tone;
	readonly children: ReactNode;
}

/** A border with a title in its top edge and a position in its bottom edge, around its children. */
function Frame({ box, title, position, tone, children }: FrameProps): ReactNode {
	const { x, y, width, height } = box;
	const inside = Math.max(0, width - 2);
	const theme = useContext(ThemeContext);
	return (
		<Box position="absolute" left={x} top={y} width={width} height={height}>
			<Box position="absolute">
				<Text>{paintText(theme, border(width, height), { tone })}</Text>
			</Box>
			<Box position="absolute" left={width - 1}>
				<Text>{paintText(theme, rightEdge(height), { tone })}</Text>
			</Box>
			{title.length > 0 && (
				<Box position="absolute" left={1} width={inside}>
					<LineText line={[span(" "), ...title, span(" ")]} />
				</Box>
			)}
			{position !== "" && (
				<Box position="absolute" left={1} top={height - 1} width={Math.max(0, inside - 1)} justifyContent="flex-end">
					<Text>{paintText(theme, ` ${position} `, { tone })}</Text>
				</Box>
			)}
			<Box position="absolute" left={1} top={1} width={inside} height={Math.max(0, height - 2)}>
				{children}
			</Box>
		</Box>
	);
}

/** The top, left and bottom edges, with spaces inside that cover what is below. */
function border(width: number, height: number): string {
	const inside = Math.max(0, width - 2);
	const middle = `│${" ".repeat(inside)}\n`;
	return `┌${"─".repeat(inside)}\n${middle.repeat(Math.max(0, height - 2))}└${"─".repeat(inside)}`;
}

function rightEdge(height: number): string {
	return `┐\n${"│\n".repeat(Math.max(0, height - 2))}┘`;
}

/** One row of text with its tones. Takes exactly one row, even if it is empty. */
export function LineText({ line }: { readonly line: Line }): ReactNode {
	const theme = useContext(ThemeContext);
	const painted = paintLine(theme, line);
	return <Text wrap="truncate">{painted === "" ? " " : painted}</Text>;
}

function Lines({ lines }: { readonly lines: readonly Line[] }): ReactNode {
	return (
		<Box flexDirection="column">
			{lines.map((line, index) => {
				// The rows are replaced as a whole, so the index of a row is its identity.
				const key = `${index}`;
				return <LineText key={key} line={line} />;
			})}
		</Box>
	);
}

export const ThemeContext = createContext<Theme>(createTheme({ depth: "16" }));
