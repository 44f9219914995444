# Writes the golden files (Rscript make.R). Versions used: R 4.2, bit64 4.0, tibble 3.1, data.table 1.14, all of Debian 12.
# Each table is also written as CSV, as the test expects to read it.
n <- 30
i <- seq_len(n)
all <- data.frame(
  whole = ifelse(i %% 7 == 3, NA, (i * 37L) %% 101L), number = i / 7, seq = i, text = paste("a,", i %% 3, "\"q\""),
  few = factor(c("low", "mid", "high")[i %% 3 + 1]), yes = i %% 4 == 0, day = as.Date("1969-12-30") + i,
  at = as.POSIXct("1999-12-31 23:59:58", tz = "UTC") + i * 3601, long = bit64::as.integer64("9007199254740993") + i,
  took = as.difftime(i, units = "mins"), code = as.character(i))
all$text[5] <- NA
all$number[2] <- NA
all$few[4] <- NA
all$yes[6] <- NA
all$day[7] <- NA
all$at[8] <- NA
all$latin <- c("Z\xfcrich", "Rome")[i %% 2 + 1]
Encoding(all$latin) <- "latin1"
all$scaled <- scale(i)
plain <- all
plain$text <- as.character(plain$text)
plain$scaled <- as.numeric(plain$scaled)
plain$latin <- enc2utf8(plain$latin)
plain$at <- format(plain$at, "%Y-%m-%d %H:%M:%S")
plain$long <- as.character(plain$long)
con <- file("all.csv", "w", encoding = "UTF-8")
write.csv(plain, con, row.names = FALSE, na = "")
close(con)
saveRDS(all, "all.rds", version = 3)
saveRDS(all, "old.rds", version = 2)
saveRDS(all, "raw.rds", compress = FALSE)
tibbled <- tibble::as_tibble(all)
tabled <- data.table::as.data.table(all)
model <- lm(number ~ whole, all)
save(tibbled, tabled, model, file = "several.rda")
saveRDS(list(train = all[1:10, ], test = all), "list.rds")
m <- matrix(as.numeric(1:12), 4, dimnames = list(letters[1:4], c("x", "y", "z")))
saveRDS(m, "matrix.rds")
saveRDS(unname(matrix(1:12, 4)), "nameless.rds")
odd <- data.frame(a = 1:3)
odd$lists <- list(1, 2:3, NULL)
odd$pair <- matrix(1:6, 3)
saveRDS(odd, "odd.rds")
saveRDS(model, "model.rds")
saveRDS(function(x) x + 1, "function.rds")
saveRDS(all, "ascii.rds", ascii = TRUE)
saveRDS(data.frame(a = 1:3, s = as.character(4:6)), "compact.rds")
saveRDS(data.frame(a = integer(0)), "empty.rds")
