import { createContext } from "react";
import { createTheme, type Theme } from "../src/ui/theme/theme.ts";

/** The theme for all components below. */
export const ThemeContext = createContext<Theme>(createTheme({ depth: "16" }));
