import { createContext, useContext, useSyncExternalStore } from "react";
import { createTheme, type Theme } from "../src/ui/theme/theme.ts";

/** A theme that changes while it is in use, when the terminal reports its colors. */
export interface ThemeSource {
	/** The same object until it changes. */
	current(): Theme;
	/** Calls `listener` after each change; returns an unsubscribe function. */
	subscribe(listener: () => void): () => void;
}

export const ThemeContext = createContext<Theme>(createTheme({ depth: "16" }));

export function useTheme(): Theme {
	return useContext(ThemeContext);
}

export function useThemeOf(source: ThemeSource): Theme {
	return useSyncExternalStore(source.subscribe, source.current);
}
