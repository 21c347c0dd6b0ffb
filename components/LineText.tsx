import { Text } from "ink";
import { type ReactNode, useContext } from "react";
import type { Ground, Line } from "../src/app/model/view.ts";
import { paintLine } from "../src/app/theme/paint-line.ts";
import { ThemeContext } from "./theme.ts";

interface LineTextProps {
	readonly line: Line;
	/** What the line stands on, over `width` cells. Default: nothing. */
	readonly ground?: Ground | undefined;
	/** Cells that the ground fills; without a ground of no meaning. Default: those of the line. */
	readonly width?: number;
}

/** One row of text with its tones. It takes one row even when it is empty, and never more than one. */
export function LineText({ line, ground, width = 0 }: LineTextProps): ReactNode {
	const theme = useContext(ThemeContext);
	const painted = paintLine(theme, line, ground && { ground, width });
	return <Text wrap="truncate">{painted === "" ? " " : painted}</Text>;
}
