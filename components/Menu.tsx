import { Box, Text } from "ink";
import SelectInput, { type IndicatorProps, type ItemProps } from "ink-select-input";
import { type ReactNode, useContext } from "react";
import { paintText } from "../src/ui/theme/paint-line.ts";
import type { MenuView } from "../src/ui/view.ts";
import { ThemeContext } from "./theme.ts";

/**
 * The items of a small fixed menu. `SelectInput` only draws them: it would lose keys that arrive together, so the keys go
 * through the keymap like all others. It reads its index once, so this component needs a React key per index.
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
