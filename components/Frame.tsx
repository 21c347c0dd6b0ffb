import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import { type Line, span, type Tone } from "../src/ui/text/line.ts";
import type { CleanText } from "../src/ui/text/sanitize.ts";
import { paintText } from "../src/ui/theme/theme.ts";
import type { Box as BoxOnScreen } from "../src/ui/view.ts";
import { TextLine } from "./TextLine.tsx";

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

export function Frame({ box, title, position, tone, children }: FrameProps): ReactNode {
	const { x, y, width, height } = box;
	const inside = Math.max(0, width - 2);
	const theme = useTheme();
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
					<TextLine line={[span(" "), ...title, span(" ")]} />
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
