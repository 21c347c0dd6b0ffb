import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import { paintText } from "../src/ui/theme/theme.ts";
import type { PromptView } from "../src/ui/view.ts";

const UNDERLINED = { underline: true };

/** The field of a one-line editor, underlined to its end. */
export function Prompt({ prompt }: { readonly prompt: PromptView }): ReactNode {
	const theme = useTheme();
	return (
		<Box height={1}>
			<Box position="absolute">
				<Text>{paintText(theme, " ".repeat(prompt.fieldWidth), UNDERLINED)}</Text>
			</Box>
			<Text wrap="truncate">{paintText(theme, prompt.text, UNDERLINED, prompt.isSelected ? "cursor" : undefined)}</Text>
		</Box>
	);
}
