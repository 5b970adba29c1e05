# Completions of acct for PowerShell: acct itself says what may stand at the cursor.

Register-ArgumentCompleter -Native -CommandName acct -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition })
    $words = @($elements | Select-Object -Skip 1 | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    if ($wordToComplete -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
    $word = "$wordToComplete" -replace '^(--[^=]*=)?[''"]', '$1'
    # Before 7.3 an empty argument got lost.
    $last = if ($word -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { $word }
    $acct = $elements[0].Extent.Text
    $lines = & $acct completion _answer powershell '--' @words $last 2>$null
    foreach ($line in $lines) {
        $value, $text = "$line" -split "`t", 2
        if ($value -eq '') {
            # The name of a file, after what stands before it.
            foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($text.Length))) {
                [System.Management.Automation.CompletionResult]::new(
                    $text + $file.CompletionText, $file.ListItemText, $file.ResultType, $file.ToolTip)
            }
            continue
        }
        # A comma would make two arguments of it.
        $typed = if ($value -match '[^\w.:=/+-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
        $shown = if ("$text".Trim() -eq '') { $value } else { $text }
        [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $shown)
    }
}
