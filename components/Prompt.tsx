import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import { paintText } from "../src/ui/theme/theme.ts";
import type { PromptView } from "../src/ui/view.ts";

const UNDERLINED = { underline: true };

/** The field of an editor, each of its rows underlined to its end. */
export function Prompt({ prompt }: { readonly prompt: PromptView }): ReactNode {
	const theme = useTheme();
	const { texts, fieldWidth, isSelected } = prompt;
	const line = paintText(theme, " ".repeat(fieldWidth), UNDERLINED);
	const rows = texts.map((text) => paintText(theme, text, UNDERLINED, isSelected ? "cursor" : undefined));
	return (
		<Box height={texts.length}>
			<Box position="absolute">
				<Text>{texts.map(() => line).join("\n")}</Text>
			</Box>
			<Text wrap="truncate">{rows.join("\n")}</Text>
		</Box>
	);
}
