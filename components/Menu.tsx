import { Box, Text } from "ink";
import SelectInput, { type IndicatorProps, type ItemProps } from "ink-select-input";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import { paintText } from "../src/ui/theme/theme.ts";
import type { MenuView } from "../src/ui/view.ts";

/**
 * The items of a small fixed menu. `SelectInput` only draws them: it would lose keys that arrive together, so these keys go
 * through the keymap like all others. It reads its index only once, so this component needs a React key per index.
 */
export function Menu({ menu }: { readonly menu: MenuView }): ReactNode {
	return (
		<SelectInput
			items={menu.items.map((label, index) => ({ label, value: index, note: menu.notes?.[index] }))}
			isFocused={false}
			initialIndex={menu.index}
			indicatorComponent={MenuMark}
			itemComponent={MenuItem}
		/>
	);
}

function MenuMark({ isSelected = false }: IndicatorProps): ReactNode {
	return (
		<Box flexShrink={0}>
			<Text>{paintText(useTheme(), isSelected ? "› " : "  ", { tone: "accent" })}</Text>
		</Box>
	);
}

/** `SelectInput` hands on all that an item has. */
function MenuItem({ isSelected = false, label, note = "" }: ItemProps & { readonly note?: string }): ReactNode {
	const theme = useTheme();
	return (
		<Text wrap="truncate">
			{isSelected ? paintText(theme, label, { bold: true }, "cursor") : label}
			{paintText(theme, note, { tone: "muted" })}
		</Text>
	);
}
