# Writes the table of TestSameModelFromRows as messy.rds and messy.RData (Rscript messy.R). Version used: R 4.2.
i <- 0:199
orders <- data.frame(
  amount = (i * 37) %% 101 / 7, `city, or town` = c("Rome", "Z\u00fcrich", "the \"big\", one")[(i * 7) %% 3 + 1],
  day = as.Date(sprintf("2024-%02d-%02d", i %% 12 + 1, i %% 28 + 1)),
  at = as.POSIXct(sprintf("2024-%02d-%02d %02d:%02d:00", i %% 12 + 1, i %% 28 + 1, i %% 24, i %% 60), tz = "UTC"),
  ok = factor(c("false", "true")[((i * 5) %% 7 < 3) + 1]), note = sprintf("line %d\nof \\ text", i %% 4), code = sprintf("%03d", i %% 5),
  y = round((i * 37) %% 101 / 7 + (i * 7) %% 3, 3), check.names = FALSE)
for (row in which(i %% 11 == 3)) orders[row, (row - 1) %% 7 + 1] <- NA
saveRDS(orders, "messy.rds")
notes <- c("not", "a", "table")
save(notes, orders, file = "messy.RData")
