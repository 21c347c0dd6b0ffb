import { Box, Text } from "ink";
import SelectInput, { type IndicatorProps, type ItemProps } from "ink-select-input";
import { type ReactNode, useContext } from "react";
import { blanks } from "../src/ui/text/sanitize.ts";
import { paintText } from "../src/ui/theme/paint-line.ts";
import type { MenuView, OverlayView, PromptView } from "../src/ui/view.ts";
import { Frame } from "./Frame.tsx";
import { Lines, LineText } from "./LineText.tsx";
import { ThemeContext } from "./theme.ts";

const NO_POSITION = blanks(0);

/** A framed overlay above the panes, with its hint in the last row. */
export function Overlay({ overlay }: { readonly overlay: OverlayView }): ReactNode {
	const danger = overlay.kind === "menu" && overlay.danger;
	return (
		<Frame
			box={overlay}
			title={overlay.title}
			position={overlay.kind === "help" ? overlay.position : NO_POSITION}
			tone={danger ? "error" : "accent"}
			opaque
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

/** The text being edited, in an underlined field. */
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
